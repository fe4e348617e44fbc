import { releasesOf } from '#server/modules/releases/versions.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'

/** The name of the mark in the table of sightings. */
const NAME = 'offer-grace-ended'

/** When the operator last ended the hour in which earlier prices are accepted, epoch ms UTC; 0 when never. */
export async function graceEndedAt(db: Reader): Promise<number> {
  return (await sightedAt(db, NAME)) ?? 0
}

/**
 * Ends the hour for earlier prices: from now on no price is accepted that was replaced before. @param now epoch ms
 * UTC
 */
export async function endGrace(trx: Writer, now: number): Promise<void> {
  // The release that is published now may bear a time later than this clock's.
  const [newest] = await releasesOf(trx, 'offer', 1)
  await sight(trx, NAME, Math.max(now, newest?.since ?? 0))
}
