import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The signatures of witnesses under the heads of the public ledger. */
export async function createCosignatures({ integer, table, appendOnly }: MigrationTools): Promise<void> {
  await table('ledger_cosignatures')
    .addColumn('size', integer, c => c.notNull().references('ledger_heads.size'))
    .addColumn('witness', 'text', c => c.notNull())
    .addColumn('seconds', integer, c => c.notNull().check(sql`seconds > 0`))
    .addColumn('line', 'text', c => c.notNull())
    .addColumn('at', integer, c => c.notNull())
    // The first one stays, whoever asks again.
    .addPrimaryKeyConstraint('ledger_cosignatures_key', ['size', 'witness'])
    .execute()
  await appendOnly('ledger_cosignatures')
}
