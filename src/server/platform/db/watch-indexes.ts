import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What the watch asks for every quarter of an hour: payments without events, and how many of the newest orders are paid. */
export async function createWatchIndexes({ trx }: MigrationTools): Promise<void> {
  await sql`create index orders_settled on orders (settled_at) where settled_at is not null`.execute(trx)
  await sql`drop index partner_orders_of`.execute(trx)
  await sql`create index partner_orders_of on partner_orders (partner_id, created_at)`.execute(trx)
}
