import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Where the public ledger had to go on under another name: an older backup was brought back, and lines were lost. */
export async function createLedgerForks({ integer, table, appendOnly }: MigrationTools): Promise<void> {
  await table('ledger_forks')
    .addColumn('number', integer, c => c.notNull().primaryKey().check(sql`number > 0`))
    .addColumn('size', integer, c => c.notNull().check(sql`size > 0`))
    .addColumn('root', 'text', c => c.notNull())
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('at', integer, c => c.notNull())
    .execute()
  await appendOnly('ledger_forks')
}
