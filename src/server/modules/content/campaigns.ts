import type { Campaign } from '#domain/campaign/campaigns.ts'
import type { ContentSnapshot } from './snapshot.ts'

/** The campaigns that run now, as the entry looks them up: free ones first, since their cards are promised. */
export function runningCampaigns({
  adCampaigns,
  freeCampaigns,
}: Pick<ContentSnapshot, 'adCampaigns' | 'freeCampaigns'>): Campaign[] {
  return [
    ...freeCampaigns
      .filter(({ active }) => active)
      .map(({ tag, source }): Campaign => ({ kind: 'free', code: tag, source })),
    ...adCampaigns
      .filter(({ active }) => active)
      .map(({ code, source }): Campaign => ({ kind: 'ad', code, source })),
  ]
}
