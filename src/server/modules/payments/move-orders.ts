import type { Expression, ExpressionBuilder, SqlBool, Updateable } from 'kysely'
import {
  isAwaited,
  ORDER_MOVES,
  type OrderEvent,
  type OrderState,
  statesMovedBy,
} from '#domain/payment/order-states.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { OrdersTable, Schema } from '#server/platform/db/schema.ts'

/** The orders that move. */
type Which = (order: ExpressionBuilder<Schema, 'orders'>) => Expression<SqlBool>

/**
 * The orders in one of these states. Each is compared by itself: of a list of one (`in (?)`) the embedded database does
 * not know that the index of the open orders holds them all.
 */
export const inState =
  (states: readonly OrderState[]): Which =>
  order =>
    order.or(states.map(state => order('status', '=', state)))

/**
 * Tells orders that something has happened: those it may move, by the table of moves, are in their new state afterwards,
 * all others are as they were. The only place that writes an order's state (the column's type refuses every other one);
 * the update itself decides, so of two at once one moves the order and the other finds it moved. An order that is not
 * awaited any more keeps no Checkout session, and not whether its buyer was given a gift before.
 * @param also what else is written of an order that moves
 * @returns the ids of those that moved
 */
export async function moveOrders(
  trx: Writer,
  event: OrderEvent,
  which: Which,
  also: Updateable<OrdersTable> = {},
): Promise<readonly string[]> {
  const { to } = ORDER_MOVES[event]
  const moved = await trx
    .updateTable('orders')
    .set({ ...also, ...(!isAwaited(to) && { checkout_session_sealed: null, keeps_chain: null }) })
    // The type of the column has no update, so that nobody else writes it.
    .set('status' as 'id', to)
    .where(which)
    .where('status', 'in', statesMovedBy(event))
    .returning('id')
    .execute()
  return moved.map(({ id }) => id)
}

/** Moves one order. @returns whether it moved */
export async function moveOrder(
  trx: Writer,
  event: OrderEvent,
  orderId: string,
  also?: Updateable<OrdersTable>,
): Promise<boolean> {
  const moved = await moveOrders(trx, event, order => order('id', '=', orderId), also)
  return moved.length > 0
}
