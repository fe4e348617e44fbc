import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * What must be found among a million rows without reading them all: the embedded database reads in the process that
 * visitors wait for, and a transaction keeps every other one waiting. Most of these indexes hold only the few rows
 * that are ever looked for, so that a sale writes no more than before.
 */
export async function createIndexes({ trx }: MigrationTools): Promise<void> {
  for (const index of [
    // Visitors ask for lost links, with any address.
    sql`volunteering_cards_by_address on volunteering_cards (lower(email)) where email is not null`,
    // The provider tells of a refund or a dispute: what is booked of it already?
    sql`ledger_entries_reversals on ledger_entries (order_id) where cause = 'reversal'`,
    // Each hour: are fewer orders paid than before, is anything disputed?
    sql`orders_by_age on orders (created_at)`,
    sql`cards_frozen on cards (id) where status = 'frozen'`,
    sql`volunteering_cards_frozen on volunteering_cards (id) where status = 'frozen'`,
    // Each day: what has had its time?
    sql`orders_with_a_person on orders (created_at)
      where status in ('failed', 'expired') and sender_name is not null`,
    sql`volunteering_cards_with_a_person on volunteering_cards (created_at)
      where email is not null or sender_name is not null`,
    sql`consent_records_age on consent_records (created_at)`,
    sql`poll_answers_age on poll_answers (day)`,
    sql`jobs_lost_links on jobs (created_at) where kind = 'lost-links'`,
    sql`newsletter_unconfirmed on newsletter_subscribers (asked_at) where status = 'pending'`,
  ])
    await sql`create index ${index}`.execute(trx)
}
