import type { Database } from '#server/db/database.ts'

/** How long statistics are kept (specification §9). */
export const RETENTION_MONTHS = 38

/** The instant before which everything goes: so many months before `now`, to the day (31 → the month's last). */
export function retentionLimit(now: number): number {
  const date = new Date(now)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - RETENTION_MONTHS)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, lastDay))
  return date.getTime()
}

/** Rows of one transaction: nobody else waits long for the database. */
const ROWS_AT_ONCE = 5_000

/** For a daily job: deletes statistics, consent records and poll answers of their age. @returns how many rows went */
export async function deleteOldAnalytics(db: Database, now: number): Promise<number> {
  const limit = retentionLimit(now)
  let deleted = 0
  for (const [table, column] of [
    ['analytics_events', 'created_at'],
    ['analytics_sessions', 'created_at'],
    ['consent_records', 'created_at'],
    ['poll_answers', 'day'],
  ] as const) {
    for (;;) {
      const gone = await db.transaction(trx =>
        trx
          .deleteFrom(table)
          .where('id', 'in', eb =>
            eb.selectFrom(table).select('id').where(column, '<', limit).limit(ROWS_AT_ONCE),
          )
          .returning('id')
          .execute(),
      )
      deleted += gone.length
      if (gone.length < ROWS_AT_ONCE) break
    }
  }
  return deleted
}
