import { sql } from 'kysely'
import { isSold, orderStatesOf } from '#domain/payment/order-states.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** Paid orders for which not every card of their kind was made that they are of. There are never more: the tables refuse them. */
export async function paidOrdersWithoutCard(db: Reader): Promise<readonly Finding[]> {
  const made = sql<number>`case when orders.kind = 'donation'
    then (select count(*) from cards where cards.order_id = orders.id)
    else (select count(*) from volunteering_cards where volunteering_cards.order_id = orders.id) end`
  const rows = await db
    .selectFrom('orders')
    .select(['orders.id', 'orders.card_count', made.as('made')])
    .where('orders.status', 'in', orderStatesOf('sold'))
    .where(made, '<>', sql.ref<number>('orders.card_count'))
    .limit(MOST)
    .execute()
  return rows.map(({ id, card_count: expected, made }) =>
    expected === 1
      ? { rule: 'order-without-card', subject: id }
      : { rule: 'order-without-card', subject: id, expected, found: Number(made) },
  )
}

/** Orders of many cards that their buyer cannot open: each has a page once it is paid, from which its links come. */
export async function paidOrdersWithoutPage(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('orders')
    .leftJoin('many_pages as page', 'page.order_id', 'orders.id')
    .select('orders.id')
    .where('orders.card_count', '>', 1)
    .where('orders.status', 'in', orderStatesOf('sold'))
    .where('page.order_id', 'is', null)
    .limit(MOST)
    .execute()
  return rows.map(({ id }) => ({ rule: 'order-without-page', subject: id }))
}

/** What is said of a card that its order does not have. The tables refuse it. */
export async function rowsWithoutCard(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('batch_rows as row')
    .innerJoin('orders', 'orders.id', 'row.order_id')
    .select(['row.order_id', 'row.position'])
    .whereRef('row.position', '>=', 'orders.card_count')
    .limit(MOST)
    .execute()
  return rows.map(({ order_id: order, position }) => ({
    rule: 'row-without-card',
    subject: `${order}/${position}`,
  }))
}

/** A paid order is booked as it was quoted; an order that is not paid is not booked at all. */
export async function ordersBookedWrong(db: Reader): Promise<readonly Finding[]> {
  const booked = (account: string) =>
    sql<number>`cast(coalesce(sum(case when account = ${sql.lit(account)} then amount end), 0) as bigint)`
  const amountOf = (kind: GiftKind) =>
    sql<number>`case when orders.kind = ${sql.lit(kind)} then orders.ngo_amount else 0 end`
  const rows = await db
    .selectFrom('orders')
    .leftJoin(
      eb =>
        eb
          .selectFrom('ledger_entries')
          .select(['order_id', 'currency'])
          .select([
            booked('payments').as('payments'),
            booked('cards').as('cards'),
            booked('volunteering').as('volunteering'),
            booked('support').as('support'),
            booked('tax').as('tax'),
          ])
          .where('cause', '=', 'sale')
          .groupBy(['order_id', 'currency'])
          .as('sale'),
      join => join.onRef('sale.order_id', '=', 'orders.id'),
    )
    .select(['orders.id', 'orders.status', 'orders.currency', 'orders.total_amount', 'sale.payments'])
    .where(eb =>
      eb.or([
        eb.and([eb('orders.status', 'not in', orderStatesOf('sold')), eb('sale.order_id', 'is not', null)]),
        eb.and([
          eb('orders.status', 'in', orderStatesOf('sold')),
          eb.not(
            eb.and([
              eb(eb.fn.coalesce('sale.currency', sql.lit('')), '=', eb.ref('orders.currency')),
              eb(eb.fn.coalesce('sale.payments', sql.lit(0)), '=', sql<number>`-orders.total_amount`),
              eb(eb.fn.coalesce('sale.cards', sql.lit(0)), '=', amountOf('donation')),
              eb(eb.fn.coalesce('sale.volunteering', sql.lit(0)), '=', amountOf('volunteering')),
              eb(
                eb.fn.coalesce('sale.support', sql.lit(0)),
                '=',
                sql<number>`orders.support_amount - orders.tax_amount`,
              ),
              eb(eb.fn.coalesce('sale.tax', sql.lit(0)), '=', eb.ref('orders.tax_amount')),
            ]),
          ),
        ]),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(row => ({
    rule: 'order-books-differ',
    subject: row.id,
    expected: isSold(row.status) ? row.total_amount : 0,
    found: -(row.payments ?? 0),
    currency: row.currency,
  }))
}
