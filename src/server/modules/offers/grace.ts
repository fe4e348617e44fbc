import { releasesOf } from '#server/modules/releases/versions.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

/** The name of the mark in the table of sightings. */
const NAME = 'offer-grace-ended'

/** When the operator last ended the hour in which earlier prices are accepted, epoch ms UTC; 0 when never. */
export async function graceEndedAt(db: Reader): Promise<number> {
  const mark = await db.selectFrom('sightings').select('at').where('name', '=', NAME).executeTakeFirst()
  return mark?.at ?? 0
}

/**
 * Ends the hour for earlier prices: from now on no price is accepted that was replaced before. @param now epoch ms
 * UTC
 */
export async function endGrace(trx: Writer, now: number): Promise<void> {
  // The release that is published now may bear a time later than this clock's.
  const [newest] = await releasesOf(trx, 'offer', 1)
  const at = Math.max(now, newest?.since ?? 0)
  await trx
    .insertInto('sightings')
    .values({ name: NAME, at })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ at }))
    .execute()
}
