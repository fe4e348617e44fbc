import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The mark of a sandbox's database: its one row, which nobody takes away again. */
export async function createSandboxMark({
  integer,
  table,
  appendOnly,
  refuseRows,
}: MigrationTools): Promise<void> {
  await table('sandbox')
    .addColumn('id', integer, c => c.notNull().primaryKey().check(sql`id = 1`))
    .execute()
  await appendOnly('sandbox')
  // A file for the bank would have it pay what nobody paid in.
  await refuseRows('payee_accounts', {
    name: 'payee_accounts_of_a_sandbox',
    before: ['insert'],
    when: 'exists (select 1 from sandbox)',
    says: 'a sandbox keeps no account numbers',
  })
}
