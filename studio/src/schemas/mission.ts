import { RocketIcon } from '@sanity/icons/Rocket'
import { defineField, defineType } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { named } from '../languages/names.ts'
import { localisedLine, localisedText } from './localised.ts'
import { byPlace, placeField } from './order.ts'

/** What a volunteering card may invite to. “Decide later” and “Other” are the site's own, beside these. */
export const mission = defineType({
  name: 'mission',
  title: 'Mission',
  type: 'document',
  icon: RocketIcon,
  components: { input: WithLanguageTabs },
  fields: [
    localisedLine({
      name: 'title',
      title: 'Name',
      description: 'What the sender chooses, and the recipient reads on the last screen.',
    }),
    localisedText({ name: 'description', title: 'What it means', description: 'One or two sentences.' }),
    defineField({
      name: 'organisation',
      title: 'With whom',
      description: 'Leave empty when the mission is not bound to one organisation.',
      type: 'reference',
      to: [{ type: 'volunteeringOrganisation' }],
    }),
    placeField('Missions are shown in this order.'),
  ],
  orderings: [byPlace],
  preview: {
    select: { title: named('title'), place: 'place', organisation: named('organisation.title') },
    prepare: ({ title, place, organisation }) => ({
      title: title ?? 'Mission without a name',
      subtitle: [place === undefined ? undefined : `${place}`, organisation].filter(Boolean).join(' · '),
    }),
  },
})
