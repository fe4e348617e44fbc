import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What moves the balance that the payment provider keeps for us, and what its payouts are made of. */
export async function createProviderMovements({
  trx,
  integer,
  table,
  appendOnly,
}: MigrationTools): Promise<void> {
  await table('provider_movements')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('kind', 'text', c =>
      c
        .notNull()
        .check(
          sql`kind in ('charge', 'refund', 'refund-failure', 'dispute', 'dispute-reversal', 'payout', 'payout-failure', 'fee', 'other')`,
        ),
    )
    .addColumn('type', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('amount', integer, c => c.notNull())
    .addColumn('fee', integer, c => c.notNull())
    .addColumn('net', integer, c => c.notNull().check(sql`net = amount - fee`))
    .addColumn('charged_currency', 'text', c => c.notNull())
    .addColumn('charged_amount', integer, c => c.notNull())
    .addColumn('exchange_rate', 'text')
    .addColumn('fee_details', 'text', c => c.notNull())
    .addColumn('source_id', 'text')
    .addColumn('charge_id', 'text')
    .addColumn('order_id', 'text', c => c.references('orders.id'))
    .addColumn('borne', integer, c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('available_at', integer, c => c.notNull())
    .addColumn('read_at', integer, c => c.notNull())
    .addColumn('seal', 'text', c => c.notNull())
    // What is of no order has no support that could bear anything.
    .addCheckConstraint('provider_movements_borne', sql`order_id is not null or borne = 0`)
    .execute()
  await appendOnly('provider_movements')
  await table('provider_payout_parts')
    .addColumn('movement_id', 'text', c => c.notNull().primaryKey().references('provider_movements.id'))
    .addColumn('payout_movement_id', 'text', c => c.notNull().references('provider_movements.id'))
    .addColumn('read_at', integer, c => c.notNull())
    .execute()
  await appendOnly('provider_payout_parts')
  for (const index of [
    sql`provider_movements_of_order on provider_movements (order_id) where order_id is not null`,
    sql`provider_movements_of_charge on provider_movements (charge_id) where charge_id is not null`,
    sql`provider_movements_payouts on provider_movements (created_at) where kind = 'payout'`,
    sql`provider_payout_parts_of on provider_payout_parts (payout_movement_id)`,
    sql`ledger_entries_movements on ledger_entries (set_id) where cause = 'movement'`,
  ])
    await sql`create index ${index}`.execute(trx)
}

/** Each reading of the provider asks where the last one ended. */
export async function createNewestMovement({ trx }: MigrationTools): Promise<void> {
  await sql`create index provider_movements_newest on provider_movements (created_at)`.execute(trx)
}
