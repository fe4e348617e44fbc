import { type FreeOffers, freeOffers } from '#domain/campaign/offers.ts'
import type { FreeCampaign } from '#server/modules/content/snapshot.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

/** The free campaigns as pages show them, kept up to date with the claims. No claim is decided by them. */
export interface OffersOnShow {
  /** The offers of the running campaigns at the last look. */
  current(): FreeOffers
  /** Reads how many cards were claimed. @returns whether any offer has changed. Never rejects */
  refresh(): Promise<boolean>
}

/** Makes the offers of free cards: which campaigns still have some. None is known until `refresh` was called. */
export function createOffersOnShow({
  db,
  log,
  campaigns,
}: {
  readonly db: Database
  readonly log: Log
  readonly campaigns: () => readonly FreeCampaign[]
}): OffersOnShow {
  let claimed: ReadonlyMap<string, number> = new Map()
  const current = (): FreeOffers => freeOffers(campaigns(), claimed)
  return {
    current,
    async refresh() {
      const before = JSON.stringify(current())
      try {
        const rows = await db.read(read =>
          read.selectFrom('free_campaigns').select(['tag', 'claimed']).execute(),
        )
        claimed = new Map(rows.map(row => [row.tag, row.claimed]))
      } catch (error) {
        log.error('offers-not-read', error)
      }
      return JSON.stringify(current()) !== before
    },
  }
}
