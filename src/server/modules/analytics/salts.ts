import { randomBytes } from 'node:crypto'
import { dayInUtc } from '#domain/days.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'

/**
 * The salt of today, the same in every process. The first use of a new day's salt deletes the earlier ones. From then
 * on nobody can tell from our data whether visits on two days were one person's.
 */
export function createSalts(db: Database, clock: Clock): () => Promise<string> {
  let known: { readonly day: string; readonly salt: Promise<string> } | undefined
  return () => {
    const day = dayInUtc(clock())
    if (known?.day !== day) {
      const salt = saltOf(db, day)
      known = { day, salt }
      // A salt that could not be read is read again the next time.
      salt.catch(() => {
        known = undefined
      })
    }
    return known!.salt
  }
}

function saltOf(db: Database, day: string): Promise<string> {
  return db.transaction(async trx => {
    await trx.deleteFrom('analytics_salts').where('day', '<', day).execute()
    await trx
      .insertInto('analytics_salts')
      .values({ day, salt: randomBytes(32).toString('hex') })
      .onConflict(conflict => conflict.column('day').doNothing())
      .execute()
    const row = await trx
      .selectFrom('analytics_salts')
      .select('salt')
      .where('day', '=', day)
      .executeTakeFirstOrThrow()
    return row.salt
  })
}
