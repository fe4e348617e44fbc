import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * Orders of many cards (docs/decisions/0120-orders-of-many-cards.md). Until now `order_id` was unique among the cards, and
 * kept a payment from making a second one. From now on each card has a place in its order, which is taken once, and the
 * database refuses a place that the order does not have: of an order of one there is one card, as before.
 */
export async function createBatches({
  trx,
  integer,
  table,
  dropUnique,
  refuseRows,
}: MigrationTools): Promise<void> {
  // Not `between`: PostgreSQL writes that into a backup in words that it reads back as another rule.
  await sql`alter table orders add column card_count ${integer} not null default 1
    check (card_count >= 1 and card_count <= 500 and ngo_amount % card_count = 0
      and support_amount % card_count = 0 and tax_amount % card_count = 0)`.execute(trx)
  await sql`alter table cards add column position ${integer} not null default 0 check (position >= 0)`.execute(
    trx,
  )
  await dropUnique('cards', 'order_id')
  await sql`create unique index cards_of_order on cards (order_id, position)`.execute(trx)
  await refuseRows('cards', {
    name: 'cards_have_a_place',
    before: ['insert', 'update of order_id, position'],
    when: 'new.position >= coalesce((select card_count from orders where id = new.order_id), 1)',
    says: 'an order has no more cards than were bought with it',
  })
  await refuseRows('orders', {
    name: 'orders_keep_their_number',
    before: ['update of card_count'],
    when: 'new.card_count <> old.card_count',
    says: 'the number of cards of an order does not change',
  })

  // What went back of each card of an order of many. Of an order of one the row of the order says it.
  await table('card_reversals')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('cards.id'))
    .addColumn('refunded', integer, c => c.notNull().check(sql`refunded >= 0`))
    .addColumn('lost', integer, c => c.notNull().check(sql`lost >= 0`))
    .addColumn('taken', integer, c => c.notNull().check(sql`taken >= 0`))
    .addColumn('updated_at', integer, c => c.notNull())
    .addColumn('seal', 'text')
    .execute()
}
