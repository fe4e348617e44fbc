import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Which organisations recipients miss, one for each card. */
export async function createWishes({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('wishes')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('cards.id'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('hint', 'text')
    .addColumn('common_word', 'text', c => c.notNull())
    .addColumn('changed_at', integer, c => c.notNull())
    .addColumn('looked_at', integer)
    .execute()
  await trx.schema.createIndex('wishes_age').on('wishes').column('changed_at').execute()
  await trx.schema.createIndex('wishes_by_word').on('wishes').columns(['common_word', 'changed_at']).execute()
}
