import { DAY_MS } from '#domain/durations.ts'
import { statesMovedBy } from '#domain/payment/order-states.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { inState, moveOrders } from './move-orders.ts'

/** The slowest payment methods take this long; what the provider says later still makes the card. */
const SLOWEST_PAYMENT_MS = 21 * DAY_MS
const BATCH = 50

/**
 * Closes some orders that nobody will pay any more: whose payment page was never shown and has expired, or that
 * even the slowest payment would have reached by now, whether or not the provider can be asked.
 * @returns how many; 0 when there are none
 */
export async function expireSome({ db, clock }: Pick<PaymentsDependencies, 'db' | 'clock'>): Promise<number> {
  const now = clock()
  const closed = await db.transaction(trx =>
    moveOrders(trx, 'expired', orders =>
      orders(
        'id',
        'in',
        orders
          .selectFrom('orders')
          .select('id')
          .where(inState(statesMovedBy('expired')))
          .where(order =>
            order.or([
              order.and([order('expires_at', '<=', now), order('checkout_session_digest', 'is', null)]),
              order('expires_at', '<=', now - SLOWEST_PAYMENT_MS),
            ]),
          )
          .limit(BATCH),
      ),
    ),
  )
  return closed.length
}
