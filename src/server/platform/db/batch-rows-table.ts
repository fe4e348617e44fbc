import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * What the giver of many cards says of each (docs/decisions/0121-selling-many-cards.md): a recipient's name, words of its own. A card of
 * which nothing is said has no row.
 */
export async function createBatchRows({ trx, integer, table, refuseRows }: MigrationTools): Promise<void> {
  await table('batch_rows')
    .addColumn('order_id', 'text', c => c.notNull().references('orders.id'))
    .addColumn('position', integer, c => c.notNull().check(sql`position >= 0`))
    .addColumn('name', 'text')
    // Empty where an operator has blanked them: the words of the order do not come in their place.
    .addColumn('words', 'text')
    .addColumn('printed_at', integer)
    .addPrimaryKeyConstraint('batch_rows_pk', ['order_id', 'position'])
    .execute()
  await refuseRows('batch_rows', {
    name: 'batch_rows_have_a_card',
    before: ['insert', 'update of order_id, position'],
    when: 'new.position >= coalesce((select card_count from orders where id = new.order_id), 0)',
    says: 'an order has no more rows than cards',
  })
  // Few names wait to be forgotten, of however many rows.
  await sql`create index batch_rows_printed on batch_rows (printed_at)
    where printed_at is not null and name is not null`.execute(trx)
}
