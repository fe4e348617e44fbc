import type { Campaign } from './campaigns.ts'

/** Whether a running free campaign has a card left. */
export type FreeOffer = 'offered' | 'sold-out'

/** The offers of the free campaigns that run, by tag. */
export type FreeOffers = Readonly<Record<string, FreeOffer>>

/**
 * What the running free campaigns offer.
 * @param claimed how many cards each has given, by its tag
 */
export function freeOffers(
  campaigns: readonly { readonly tag: string; readonly active: boolean; readonly stock: number }[],
  claimed: ReadonlyMap<string, number>,
): FreeOffers {
  return Object.fromEntries(
    campaigns
      .filter(({ active }) => active)
      .map(({ tag, stock }) => [tag, (claimed.get(tag) ?? 0) < stock ? 'offered' : 'sold-out']),
  )
}

/** What this campaign offers its visitors for free; undefined if it gives no card, or has ended. */
export function offerTo(campaign: Campaign | undefined, offers: FreeOffers): FreeOffer | undefined {
  if (campaign?.kind !== 'free' || !Object.hasOwn(offers, campaign.code)) return undefined
  return offers[campaign.code]
}
