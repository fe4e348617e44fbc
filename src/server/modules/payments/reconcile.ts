import { orderStatesOf } from '#domain/payment/order-states.ts'
import { isProblem } from '#domain/problems.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { inState, moveOrder } from './move-orders.ts'
import { type Order, sessionOf } from './orders.ts'
import { settleSession } from './settle.ts'

/** A buyer is typing a card number: their order is not looked at before this long. */
const FIRST_LOOK_AFTER_MS = 5 * 60_000
const PAGE = 100

/**
 * Looks every open order up at the provider, so that a payment whose events were all lost still gets its card, and
 * one that can no longer be paid is closed. Safe to run at any time, anywhere, several at once.
 * @returns how many orders were looked at
 * @throws Problem provider-unavailable; what was done until then stays
 */
export async function reconcile(deps: PaymentsDependencies): Promise<number> {
  const { db, clock, log } = deps
  const before = clock() - FIRST_LOOK_AFTER_MS
  let looked = 0
  let last: Order | undefined
  for (;;) {
    const after = last
    const orders = await db.read(reader =>
      reader
        .selectFrom('orders')
        .selectAll()
        .where(inState(orderStatesOf('awaited')))
        .where('created_at', '<=', before)
        .$if(after !== undefined, query =>
          query.where(eb =>
            eb.or([
              eb('created_at', '>', after!.created_at),
              eb.and([eb('created_at', '=', after!.created_at), eb('id', '>', after!.id)]),
            ]),
          ),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(PAGE)
        .execute(),
    )
    for (const order of orders) {
      try {
        await look(deps, order)
        looked++
      } catch (error) {
        log.error('order-not-reconciled', error, { order: order.id })
        // Nobody answers: this run has failed, which visitors are told of in time, and the next one asks for all of them.
        if (isProblem(error) && error.code === 'provider-unavailable') throw error
      }
    }
    last = orders.at(-1)
    if (orders.length < PAGE) return looked
  }
}

async function look(deps: PaymentsDependencies, order: Order): Promise<void> {
  const isOver = order.expires_at <= deps.clock()
  const expire = async (): Promise<void> => {
    await deps.db.transaction(trx => moveOrder(trx, 'expired', order.id))
  }
  const sessionId = sessionOf(order, deps.keys)
  if (sessionId === undefined) {
    // The provider's answer never reached us, so no buyer has the page of this order.
    return isOver ? expire() : undefined
  }
  try {
    await settleSession(deps, sessionId)
  } catch (error) {
    if (!isProblem(error)) throw error
    // A slow payment method may stay incomplete for days; only what the provider does not know is over.
    if (error.code === 'payment-not-found' && isOver) return expire()
    if (error.code !== 'payment-not-completed') throw error
  }
}
