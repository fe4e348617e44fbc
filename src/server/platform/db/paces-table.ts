import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What all processes together do at most so often: one row each, with the next moment that nobody has yet. */
export async function createPaces({ integer, table }: MigrationTools): Promise<void> {
  await table('paces')
    .addColumn('name', 'text', c => c.notNull().primaryKey())
    .addColumn('next_at', integer, c => c.notNull())
    .execute()
}
