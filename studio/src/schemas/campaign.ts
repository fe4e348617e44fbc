import { defineField } from 'sanity'
import { checkCampaignCode } from '../checks/campaigns.ts'
import { LANGUAGE_NAMES } from '../languages/names.ts'
import { CAMPAIGN_SOURCES, LANGUAGES } from '../product.ts'
import { codeVerdict } from '../rules/campaigns.ts'

const SOURCE_NAMES: Readonly<Record<(typeof CAMPAIGN_SOURCES)[number], string>> = {
  tiktok: 'TikTok',
  instagram: 'Instagram',
  facebook: 'Facebook',
  reddit: 'Reddit',
  quora: 'Quora',
  other: 'Elsewhere',
}

/** The name that ends a campaign's link. */
export const codeField = (name: 'code' | 'tag', title: string) =>
  defineField({
    name,
    title,
    description: 'The link of the campaign is the site’s address, a slash, and this name.',
    type: 'string',
    validation: rule => [
      rule.required().error(String(codeVerdict(undefined))),
      rule.custom((value, context) => !value || checkCampaignCode(value, context)),
    ],
  })

/** What both kinds of campaign say of themselves. */
export const campaignFields = [
  defineField({
    name: 'language',
    title: 'Language of the campaign',
    type: 'string',
    options: { list: LANGUAGES.map(value => ({ value, title: LANGUAGE_NAMES[value] })), layout: 'radio' },
    validation: rule => rule.required().error('In which language does the campaign speak?'),
  }),
  defineField({
    name: 'source',
    title: 'Where its link stands',
    description: 'Visitors from Reddit see the whole introduction; the others go straight to the cards.',
    type: 'string',
    options: { list: CAMPAIGN_SOURCES.map(value => ({ value, title: SOURCE_NAMES[value] })) },
    validation: rule => rule.required().error('Where does the link stand?'),
  }),
  defineField({
    name: 'active',
    title: 'Running',
    description: 'A campaign that is off counts as unknown: its link leads to the start page.',
    type: 'boolean',
    initialValue: true,
    validation: rule => rule.required(),
  }),
]

export const campaignSubtitle = (source: unknown, active: unknown): string =>
  [SOURCE_NAMES[source as keyof typeof SOURCE_NAMES] ?? 'no place yet', active ? 'running' : 'off'].join(
    ' · ',
  )
