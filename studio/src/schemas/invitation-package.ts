import { PackageIcon } from '@sanity/icons/Package'
import { defineArrayMember, defineField, defineType } from 'sanity'
import { checkPackageId } from '../checks/packages.ts'
import { WithLanguageTabs } from '../languages/LanguageTabs.tsx'
import { named } from '../languages/names.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '../product.ts'
import { packageIdVerdict } from '../rules/packages.ts'
import { lineIn, localisedLine } from './localised.ts'
import { pricesField, reachField } from './prices.ts'

/** The volunteering package; there is exactly one, with the id `invitationPackage`. */
export const invitationPackage = defineType({
  name: 'invitationPackage',
  title: 'Volunteering package',
  type: 'document',
  icon: PackageIcon,
  components: { input: WithLanguageTabs },
  fields: [
    defineField({
      name: 'code',
      title: 'Name it is sold under',
      description: 'Stands in orders and reports.',
      type: 'string',
      validation: rule => [
        rule.required().error(String(packageIdVerdict(undefined))),
        rule.custom((value, context) => !value || checkPackageId(value, context)),
      ],
    }),
    localisedLine({ name: 'title', title: 'Name' }),
    defineField({
      name: 'benefits',
      title: 'What it holds',
      type: 'array',
      of: [
        defineArrayMember({
          type: 'object',
          name: 'benefit',
          fields: LANGUAGES.map(lineIn),
          preview: { select: { title: DEFAULT_LANGUAGE } },
        }),
      ],
      validation: rule => rule.required().min(1).error('Say at least one thing that it holds.'),
    }),
    pricesField({
      name: 'prices',
      title: 'Price, in whole units',
      description: 'The price pays for the invitation and the book; none of it is a donation.',
    }),
    reachField(40),
  ],
  preview: {
    select: { title: named('title'), amount: 'prices.EUR.amount' },
    prepare: ({ title, amount }) => ({
      title: title ?? 'Volunteering package',
      subtitle: `€${amount ?? '–'}`,
    }),
  },
})
