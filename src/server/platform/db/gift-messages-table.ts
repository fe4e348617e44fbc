import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What givers write to those who get their gifts, by the order. */
export async function createGiftMessages({ integer, table }: MigrationTools): Promise<void> {
  await table('gift_messages')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('words', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
}
