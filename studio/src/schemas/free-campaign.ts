import { TagIcon } from '@sanity/icons/Tag'
import { defineField, defineType } from 'sanity'
import { stockVerdict } from '../rules/campaigns.ts'
import { campaignFields, campaignSubtitle, codeField } from './campaign.ts'

/** A campaign that gives cards away, each worth 5, one per e-mail address. */
export const freeCampaign = defineType({
  name: 'freeCampaign',
  title: 'Campaign with free cards',
  type: 'document',
  icon: TagIcon,
  fields: [
    codeField('tag', 'Tag'),
    ...campaignFields,
    defineField({
      name: 'stock',
      title: 'Cards to give away',
      description: 'In all, those already claimed included. When they are gone, the site says so.',
      type: 'number',
      validation: rule => [
        rule.required().integer().min(0).max(1_000_000).error('A whole number from 0 to 1,000,000.'),
        rule.custom((stock, { document }) => stockVerdict(stock, document?.active)).warning(),
      ],
    }),
  ],
  preview: {
    select: { title: 'tag', source: 'source', active: 'active', stock: 'stock' },
    prepare: ({ title, source, active, stock }) => ({
      title: title ?? 'Campaign without a tag',
      subtitle: `${campaignSubtitle(source, active)} · ${stock ?? 0} cards`,
    }),
  },
})
