import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What makes a change by another hand seen: a seal for each row that money hangs on, and counts of the rows. */
export async function createSeals({ trx, integer, table, appendOnly }: MigrationTools): Promise<void> {
  for (const name of ['orders', 'cards', 'volunteering_cards', 'redemptions', 'reversals'])
    await trx.schema.alterTable(name).addColumn('seal', 'text').execute()
  await table('checkpoints')
    .addColumn('number', integer, c => c.notNull().primaryKey())
    .addColumn('at', integer, c => c.notNull())
    .addColumn('counts', 'text', c => c.notNull())
    .addColumn('seal', 'text', c => c.notNull())
    .execute()
  await appendOnly('checkpoints')
}
