import { OlistIcon } from '@sanity/icons/Olist'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { checkEmptyRows, checkListedNgos, checkRepeats, checkYear } from '../checks/ngo-list.ts'
import { UNREVIEWED } from '../rules/ngo-list.ts'
import { reviewFields } from './review.ts'

/** The organisations of one year, in the order in which recipients see them. */
export const ngoList = defineType({
  name: 'ngoList',
  title: 'Yearly list',
  type: 'document',
  icon: OlistIcon,
  fields: [
    defineField({
      name: 'year',
      title: 'Year',
      description: 'The site shows the newest list that is published.',
      type: 'number',
      validation: rule => [
        rule.required().integer().min(2000).max(2999).error('A year of four digits, such as 2027.'),
        rule.custom(checkYear),
      ],
    }),
    defineField({
      name: 'ngos',
      title: 'Organisations',
      description: 'Drag them into the order in which recipients see them.',
      type: 'array',
      of: [defineArrayMember({ type: 'reference', to: [{ type: 'ngo' }] })],
      validation: rule => [
        rule.required().min(1).error('The list is empty: a card could be given to nobody.'),
        rule.custom(checkEmptyRows),
        rule.custom(checkRepeats),
        rule.custom(checkListedNgos),
      ],
    }),
    defineField({
      name: 'startedOn',
      title: 'Started on',
      description:
        'Set by “Start next year’s list”: each organisation is reviewed again after this day, before the list is published.',
      type: 'date',
      readOnly: true,
      hidden: ({ value }) => value === undefined,
    }),
    ...reviewFields.map(field =>
      field.name === 'reviewedAt'
        ? defineField({ ...field, type: 'date', validation: rule => rule.required().error(UNREVIEWED) })
        : field,
    ),
  ],
  orderings: [{ name: 'newest', title: 'Newest first', by: [{ field: 'year', direction: 'desc' }] }],
  preview: {
    select: { year: 'year', ngos: 'ngos', reviewedAt: 'reviewedAt' },
    prepare: ({ year, ngos, reviewedAt }) => ({
      title: `NGO list ${year ?? 'without a year'}`,
      subtitle: `${Object.keys(ngos ?? {}).length} organisations · ${reviewedAt ? `reviewed ${reviewedAt}` : 'not reviewed yet'}`,
    }),
  },
})
