import { DAY_MS } from '#domain/durations.ts'
import type { Database } from '#server/platform/db/database.ts'

/** Sessions that somebody ended before their time. */
export interface EndedSessions {
  has(id: string): Promise<boolean>
  /** @param expiresAt when the session would have ended by itself, epoch ms: after that nobody needs to know */
  add(id: string, expiresAt: number, now: number): Promise<void>
}

/**
 * How long an ended session is remembered beyond its own end, in ms. If a clock that is hours ahead made us forget
 * it, the session would be valid again once the clock is right.
 */
const REMEMBERED_MS = 7 * DAY_MS

/** They are kept in the database, so that every process knows them, also after a restart. */
export function endedSessions(db: Database): EndedSessions {
  return {
    async has(id) {
      const row = await db.read(reader =>
        reader.selectFrom('ended_sessions').select('id').where('id', '=', id).executeTakeFirst(),
      )
      return row !== undefined
    },
    async add(id, expiresAt, now) {
      await db.transaction(async trx => {
        await trx
          .deleteFrom('ended_sessions')
          .where('expires_at', '<', now - REMEMBERED_MS)
          .execute()
        await trx
          .insertInto('ended_sessions')
          .values({ id, expires_at: expiresAt })
          .onConflict(conflict => conflict.column('id').doNothing())
          .execute()
      })
    },
  }
}
