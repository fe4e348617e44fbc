import { PackageIcon } from '@sanity/icons/Package'
import { defineField, defineType } from 'sanity'
import { checkPackageId } from '../checks/packages.ts'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { named } from '../languages/names.ts'
import { packageIdVerdict } from '../rules/packages.ts'
import { localisedLine, localisedLink, localisedText } from './localised.ts'
import { byPlace, placeField } from './order.ts'
import { pricesField, reachField } from './prices.ts'

/** A gift card that visitors can buy. */
export const giftPackage = defineType({
  name: 'giftPackage',
  title: 'Gift card package',
  type: 'document',
  icon: PackageIcon,
  components: { input: WithLanguageTabs },
  fieldsets: [
    { name: 'words', title: 'What visitors read', options: { collapsible: true } },
    {
      name: 'prices',
      title: 'Prices, in whole units',
      description:
        'A visitor keeps the price list shown first, whatever language follows. A new price is on the site at once; whoever saw the earlier one pays that for another hour.',
      options: { collapsible: true },
    },
  ],
  fields: [
    defineField({
      name: 'code',
      title: 'Name it is sold under',
      description:
        'Stands in orders and reports. Give a new package a new one; never give an old one to another.',
      type: 'string',
      validation: rule => [
        rule.required().error(String(packageIdVerdict(undefined))),
        rule.custom((value, context) => !value || checkPackageId(value, context)),
      ],
    }),
    { ...localisedLine({ name: 'title', title: 'Name' }), fieldset: 'words' },
    {
      ...localisedLine({
        name: 'subtitleStart',
        title: 'Line under it, for who begins a chain',
      }),
      fieldset: 'words',
    },
    {
      ...localisedLine({
        name: 'subtitleKeep',
        title: 'Line under it, for who was given a card',
      }),
      fieldset: 'words',
    },
    {
      ...localisedText({
        name: 'description',
        title: 'Description',
        description: 'Whatever it claims of the world needs a source below.',
        rows: 2,
      }),
      fieldset: 'words',
    },
    defineField({
      name: 'citation',
      title: 'Source of the description',
      description:
        'Leave it out where the description claims nothing. Else all of it: the very page and figure.',
      type: 'object',
      options: { collapsible: true },
      fields: [
        localisedLine({
          name: 'title',
          title: 'Source',
          description: 'Who wrote it, and what it is called.',
        }),
        localisedLine({
          name: 'place',
          title: 'Where in it',
          description: 'The page, figure or section: “p. 12, figure 3”.',
        }),
        localisedLink({ name: 'links', title: 'Where it can be read' }),
      ],
    }),
    { ...pricesField({ name: 'spain', title: 'Visitors in Spanish' }), fieldset: 'prices' },
    { ...pricesField({ name: 'english', title: 'Visitors in English' }), fieldset: 'prices' },
    { ...pricesField({ name: 'france', title: 'Visitors in French' }), fieldset: 'prices' },
    { ...reachField(1), fieldset: 'prices' },
    placeField('Packages of your own stand in this order, behind those that the site began with.'),
  ],
  orderings: [byPlace],
  preview: {
    select: {
      title: named('title'),
      place: 'place',
      spain: 'spain.EUR.amount',
      english: 'english.USD.amount',
    },
    prepare: ({ title, place, spain, english }) => ({
      title: [place, title ?? 'Package without a name'].filter(Boolean).join('. '),
      subtitle: `€${spain ?? '–'} in Spanish · $${english ?? '–'} in English`,
    }),
  },
})
