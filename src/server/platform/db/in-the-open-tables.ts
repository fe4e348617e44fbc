import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What the page on where the money is shows beside the lines of the public ledger. */
export async function createInTheOpen({ trx, integer, table }: MigrationTools): Promise<void> {
  await trx.schema
    .alterTable('orders')
    // Asked for until the order is over: then it is counted, and kept of nobody.
    .addColumn('keeps_chain', integer, c => c.check(sql`keeps_chain is null or status = 'open'`))
    .execute()
  await table('chain_days')
    .addColumn('day', 'text', c => c.notNull().primaryKey().check(sql`length(day) = 10`))
    .addColumn('cards', integer, c => c.notNull().check(sql`cards > 0`))
    .execute()
  await table('disturbances')
    .addColumn('part', 'text', c => c.notNull())
    .addColumn('since', integer, c => c.notNull())
    .addColumn('until', integer, c => c.check(sql`until is null or until >= since`))
    .addPrimaryKeyConstraint('disturbances_pk', ['part', 'since'])
    .execute()
  // Of several servers that see the same disturbance one begins it.
  await sql`create unique index disturbances_open on disturbances (part) where until is null`.execute(trx)
}
