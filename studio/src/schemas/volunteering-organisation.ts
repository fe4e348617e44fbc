import { UsersIcon } from '@sanity/icons/Users'
import { defineType } from 'sanity'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { named } from '../languages/names.ts'
import { localisedLine, localisedLink, localisedText } from './localised.ts'
import { byPlace, placeField } from './order.ts'
import { reviewFields } from './review.ts'

/** Where somebody who accepted a volunteering card can offer their time. */
export const volunteeringOrganisation = defineType({
  name: 'volunteeringOrganisation',
  title: 'Volunteering organisation',
  type: 'document',
  icon: UsersIcon,
  components: { input: WithLanguageTabs },
  fields: [
    localisedLine({ name: 'title', title: 'Name' }),
    localisedText({ name: 'description', title: 'What volunteers do there', rows: 2 }),
    localisedLink({ name: 'links', title: 'Its own page for volunteers' }),
    placeField('Organisations are shown in this order.'),
    ...reviewFields,
  ],
  orderings: [byPlace],
  preview: {
    select: { title: named('title'), reviewedAt: 'reviewedAt' },
    prepare: ({ title, reviewedAt }) => ({
      title: title ?? 'Organisation without a name',
      subtitle: reviewedAt ? `reviewed ${reviewedAt}` : 'never reviewed',
    }),
  },
})
