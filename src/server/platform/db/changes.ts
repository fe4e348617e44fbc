import { sql } from 'kysely'
import type { Reader } from './engine.ts'

/** Of the embedded database: another number once anything was written since, by whichever process. */
export async function anyChange(db: Reader): Promise<number | undefined> {
  const row = await db
    .selectFrom(sql<{ data_version: number }>`pragma_data_version`.as('changes'))
    .select('data_version')
    .executeTakeFirst()
  return row?.data_version
}

/** Of the embedded database: another number once anything was booked since, as each payout and its payment is. */
export async function anyBooking(db: Reader): Promise<number | undefined> {
  const row = await db
    .selectFrom('ledger_entries')
    .select(sql<number>`max(rowid)`.as('newest'))
    .executeTakeFirst()
  return row?.newest
}
