import type { Database } from '#server/platform/db/database.ts'

/** How long statistics are kept (product.md#privacy). */
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

/**
 * Rows of one transaction. The embedded database deletes them in the process that visitors wait for: so many take it
 * some ten milliseconds.
 */
const ROWS_AT_ONCE = 200

const KEPT_SO_LONG = [
  ['analytics_events', 'created_at'],
  ['analytics_sessions', 'created_at'],
  ['consent_records', 'created_at'],
  ['poll_answers', 'day'],
] as const

/**
 * Deletes some statistics, consent records or poll answers of their age.
 * @returns how many rows went; 0 when there are none
 */
export async function deleteOldAnalytics(db: Database, now: number): Promise<number> {
  const limit = retentionLimit(now)
  for (const [table, column] of KEPT_SO_LONG) {
    const gone = await db.transaction(trx =>
      trx
        .deleteFrom(table)
        .where('id', 'in', eb =>
          eb.selectFrom(table).select('id').where(column, '<', limit).limit(ROWS_AT_ONCE),
        )
        .returning('id')
        .execute(),
    )
    if (gone.length > 0) return gone.length
  }
  return 0
}
