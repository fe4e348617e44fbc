import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What went back to the buyers of orders; for those of before, what the books say of it. */
export async function createReversals({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('reversals')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('refunded', integer, c => c.notNull().check(sql`refunded >= 0`))
    .addColumn('lost', integer, c => c.notNull().check(sql`lost >= 0`))
    .addColumn('taken', integer, c => c.notNull().check(sql`taken >= 0`))
    .addColumn('updated_at', integer, c => c.notNull())
    .execute()
  // Until now a dispute took all of a card or nothing, so how much of it was a refund changes no balance.
  await sql`insert into reversals (order_id, refunded, lost, taken, updated_at)
    select order_id, sum(case when account = 'refunds' then amount else 0 end), 0, 0, max(created_at)
    from ledger_entries where cause = 'reversal' and order_id is not null group by order_id`.execute(trx)
}
