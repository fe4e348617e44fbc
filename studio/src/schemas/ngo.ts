import { HeartIcon } from '@sanity/icons/Heart'
import { defineField, defineType } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { named } from '../languages/names.ts'
import { localisedLine, localisedLink, localisedWord } from './localised.ts'
import { reviewFields } from './review.ts'

/** An organisation that a card may be given to, once it stands on the yearly list. */
export const ngo = defineType({
  name: 'ngo',
  title: 'Organisation',
  type: 'document',
  icon: HeartIcon,
  components: { input: WithLanguageTabs },
  fieldsets: [{ name: 'office', title: 'For the office', options: { collapsible: true, collapsed: true } }],
  fields: [
    localisedLine({ name: 'title', title: 'Name' }),
    localisedWord({
      name: 'article',
      title: 'Its article, if it has one',
      description:
        'What stands before its short name in a sentence: “el” in “20 € para el CERF”, “l’” in “pour l’UNRWA”. Empty for a name without one, as MSF.',
    }),
    localisedLine({
      name: 'description',
      title: 'What it does',
      description: 'One sentence, shown under the name.',
    }),
    localisedLink({
      name: 'links',
      title: 'Its own page for donors',
      description: 'Where a visitor can read more, in their language where there is such a page.',
    }),
    defineField({
      name: 'legalId',
      title: 'Legal id',
      description:
        'The number in its country’s register (NIF, SIREN, charity number). Never shown on the site.',
      type: 'string',
      fieldset: 'office',
    }),
    defineField({
      name: 'consent',
      title: 'Its consent to being listed',
      description:
        'The site lists it while its consent is given, and takes it off the list with any other answer.',
      type: 'object',
      fieldset: 'office',
      initialValue: { state: 'notAsked' },
      fields: [
        defineField({
          name: 'state',
          title: 'State',
          type: 'string',
          options: {
            layout: 'radio',
            list: [
              { title: 'Not asked yet', value: 'notAsked' },
              { title: 'Asked, no answer yet', value: 'asked' },
              { title: 'Given', value: 'given' },
              { title: 'Declined', value: 'declined' },
            ],
          },
          validation: rule => rule.required().error('Say where this stands; “Not asked yet” is an answer.'),
        }),
        defineField({ name: 'answeredOn', title: 'Answered on', type: 'date' }),
        defineField({
          name: 'note',
          title: 'Where the answer is kept',
          description: 'For instance “letter, folder 2026”. No names or addresses of people.',
          type: 'string',
        }),
      ],
      validation: rule => rule.required(),
    }),
    ...reviewFields.map(field => ({ ...field, fieldset: 'office' })),
  ],
  preview: {
    select: { title: named('title'), description: named('description'), reviewedAt: 'reviewedAt' },
    prepare: ({ title, description, reviewedAt }) => ({
      title: title ?? 'Organisation without a name',
      subtitle: [reviewedAt ? `reviewed ${reviewedAt}` : 'never reviewed', description]
        .filter(Boolean)
        .join(' · '),
    }),
  },
})
