import { BulbOutlineIcon } from '@sanity/icons/BulbOutline'
import { defineType } from 'sanity'
import { campaignFields, campaignSubtitle, codeField } from './campaign.ts'

/** A paid advert; its link leads to the cards. */
export const adCampaign = defineType({
  name: 'adCampaign',
  title: 'Advert',
  type: 'document',
  icon: BulbOutlineIcon,
  fields: [codeField('code', 'Code'), ...campaignFields],
  preview: {
    select: { title: 'code', source: 'source', active: 'active' },
    prepare: ({ title, source, active }) => ({
      title: title ?? 'Advert without a code',
      subtitle: campaignSubtitle(source, active),
    }),
  },
})
