/** Where a campaign's link stands. Campaigns on Reddit get the whole introduction (product.md#entry). */
export const CAMPAIGN_SOURCES = ['tiktok', 'instagram', 'facebook', 'reddit', 'quora', 'other'] as const

export type CampaignSource = (typeof CAMPAIGN_SOURCES)[number]

/** An `ad` leads to the packages; a `free` campaign also gives a card away. */
export type CampaignKind = 'ad' | 'free'

/** A campaign that is running, as its link names it: an ad's code, or a free campaign's tag. */
export interface Campaign {
  readonly kind: CampaignKind
  readonly code: string
  readonly source: CampaignSource
}

const CODE = /^[a-z0-9][a-z0-9-]{1,63}$/i

/** May a campaign be called so? One path segment that no messenger breaks. */
export function isCampaignCode(value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value)
}

/** A campaign as it was written down, checked, or undefined for anything else. */
export function readCampaign(value: unknown): Campaign | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { kind, code, source } = value as Partial<Record<keyof Campaign, unknown>>
  const known = CAMPAIGN_SOURCES.find(candidate => candidate === source)
  if ((kind !== 'ad' && kind !== 'free') || !isCampaignCode(code) || !known) return undefined
  return { kind, code, source: known }
}

/** The campaign of this code, in whatever case an app has handed the link on; the first where two share it. */
export function findCampaign(code: string, campaigns: readonly Campaign[]): Campaign | undefined {
  const wanted = code.toLowerCase()
  return campaigns.find(campaign => campaign.code.toLowerCase() === wanted)
}
