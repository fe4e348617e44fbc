import { sql } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { IS_INVOICED } from './invoices.ts'

/** How much younger the books may be than the movements that were read at the provider, in ms. */
const SLACK_MS = 3_600_000
/** Orders that are read at once: fewer are the last ones. */
export const ORDERS_AT_ONCE = 100

/** An order of which the provider moved something else than the books say. Amounts in minor units of its payment. */
export interface OrderMoved {
  readonly id: string
  readonly isSold: boolean
  readonly currency: string
  readonly total: number
  /** What went back by the books: refunded, and lost to disputes. */
  readonly refunded: number
  readonly lost: number
  /** What the provider moved of the payment and its refunds; null where no movement is of the order. */
  readonly moved: number | null
  readonly disputed: number
  /** Does an open dispute hold money of it? */
  readonly isHeld: boolean
}

export interface OrdersMoved {
  /** Until when everything that the provider says was read, epoch ms UTC. */
  readonly until: number
  /** The id of an order: those after it. */
  readonly after?: string
}

const of = (...kinds: readonly string[]) =>
  sql<number>`cast(coalesce(sum(case when kind in (${sql.join(kinds.map(kind => sql.lit(kind)))}) then charged_amount else 0 end), 0) as bigint)`

/**
 * The orders of which the provider moved more or less than the books say, by their ids, a page of them. An order waits if
 * the books changed within the hour before the last complete reading, or that reading brought something of it.
 */
export async function ordersMovedOtherwise(
  db: Reader,
  { until, after = '' }: OrdersMoved,
): Promise<readonly OrderMoved[]> {
  const before = until - SLACK_MS
  // Asked for by its order's cards, of which there may be many: a join would count the order for each.
  const isHeld = sql<boolean>`(${sql.join(
    ['cards', 'volunteering_cards'].map(
      table => sql`exists (select 1 from ${sql.table(table)} as card
        join card_holds on card_holds.card_id = card.id and card_holds.reason = 'dispute'
        where card.order_id = orders.id)`,
    ),
    sql` or `,
  )})`
  const rows = await db
    .selectFrom('orders')
    .leftJoin('reversals', 'reversals.order_id', 'orders.id')
    .leftJoin(
      eb =>
        eb
          .selectFrom('provider_movements')
          .select(['order_id', of('charge', 'refund', 'refund-failure').as('moved')])
          .select(of('dispute', 'dispute-reversal').as('disputed'))
          .select(sql<number>`min(created_at)`.as('first'))
          .select(sql<number>`max(read_at)`.as('newest'))
          .where('order_id', 'is not', null)
          .groupBy('order_id')
          .as('seen'),
      join => join.onRef('seen.order_id', '=', 'orders.id'),
    )
    .select([
      'orders.id',
      'orders.status',
      'orders.currency',
      'orders.total_amount',
      'seen.moved',
      'seen.disputed',
    ])
    .select(['reversals.refunded', 'reversals.lost'])
    .select(sql<number>`case when ${isHeld} then 1 else 0 end`.as('held'))
    .where('orders.id', '>', after)
    // The provider never sees what is paid by invoice.
    .where(eb => eb.not(IS_INVOICED))
    .where(eb =>
      eb.or([
        eb.and([
          eb('orders.status', 'in', orderStatesOf('sold')),
          eb('orders.settled_at', '<', before),
          // An order of which the last run has read something may have changed since.
          eb(eb.fn.coalesce('seen.newest', sql.lit(0)), '<', until),
          eb(eb.fn.coalesce('reversals.updated_at', sql.lit(0)), '<', before),
          eb.not(
            eb.and([
              // A payment that went back whole comes to nothing, and moved all the same.
              eb('seen.moved', 'is not', null),
              eb('seen.moved', '=', sql<number>`orders.total_amount - coalesce(reversals.refunded, 0)`),
              eb.or([
                eb(
                  eb.fn.coalesce('seen.disputed', sql.lit(0)),
                  '=',
                  sql<number>`-coalesce(reversals.lost, 0)`,
                ),
                eb.and([eb('seen.disputed', '<', sql<number>`-coalesce(reversals.lost, 0)`), isHeld]),
              ]),
            ]),
          ),
        ]),
        // Money came in that no sale tells of.
        eb.and([
          eb('orders.status', 'not in', orderStatesOf('sold')),
          eb('seen.first', '<', before - DAY_MS),
        ]),
      ]),
    )
    .orderBy('orders.id')
    .limit(ORDERS_AT_ONCE)
    .execute()
  return rows.map(row => ({
    id: row.id,
    isSold: orderStatesOf('sold').includes(row.status),
    currency: row.currency,
    total: row.total_amount,
    refunded: row.refunded ?? 0,
    lost: row.lost ?? 0,
    moved: row.moved,
    disputed: row.disputed ?? 0,
    isHeld: row.held === 1,
  }))
}
