import { DONORS_KEPT_YEARS } from '#domain/donor/identity.ts'
import { DAY_MS } from '#domain/durations.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import type { Period } from '#domain/period.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { PAID_ON, paidAtOf, paidWithin } from './invoices/paid-on.ts'

const KEPT_MS = DONORS_KEPT_YEARS * 365.25 * DAY_MS
/** A session that was replaced may still be paid on the day that it lives. */
const UNPAID_MS = 8 * DAY_MS
const BATCH = 50

/** Who gave an order that was paid. */
export interface PaidDonor {
  readonly orderId: string
  readonly paidAt: number
  readonly kind: 'donation' | 'volunteering'
  readonly total: number
  readonly currency: string
  readonly name: string
  readonly document: string
}

/** The donors of orders that were paid within a period, the first ones first. `paidAt` is epoch ms UTC. */
export async function paidDonors(db: Reader, period: Period): Promise<readonly PaidDonor[]> {
  const rows = await db
    .selectFrom('donor_identities')
    .innerJoin('orders', 'orders.id', 'donor_identities.order_id')
    .leftJoin('invoices', 'invoices.order_id', 'orders.id')
    .select([
      'orders.id as orderId',
      'orders.settled_at',
      PAID_ON.as('paid_on'),
      'orders.kind',
      'orders.total_amount as total',
      'orders.currency',
      'donor_identities.name',
      'donor_identities.document',
    ])
    .where('orders.status', 'in', orderStatesOf('sold'))
    .where(paidWithin(period))
    .execute()
  return rows
    .map(({ settled_at, paid_on, ...row }) => ({ ...row, paidAt: paidAtOf({ settled_at, paid_on }) }))
    .toSorted((one, other) => one.paidAt - other.paidAt)
}

/**
 * Deletes some donors whose ten years are over, and those of orders that came to nothing.
 * @param now epoch ms UTC
 * @returns how many
 */
export async function forgetDonors(db: Database, now: number): Promise<number> {
  const deleted = await db.transaction(trx =>
    trx
      .deleteFrom('donor_identities')
      .where('order_id', 'in', eb =>
        eb
          .selectFrom('donor_identities')
          .innerJoin('orders', 'orders.id', 'donor_identities.order_id')
          .select('donor_identities.order_id')
          .where(each =>
            each.or([
              each('orders.settled_at', '<', now - KEPT_MS),
              each.and([
                each('orders.status', 'in', orderStatesOf('over')),
                each('orders.settled_at', 'is', null),
                each('donor_identities.created_at', '<', now - UNPAID_MS),
                // An invoice that has lapsed can be paid as long as somebody can be sent its cards.
                each.not(
                  each.exists(
                    each
                      .selectFrom('invoices')
                      .select('invoices.order_id')
                      .whereRef('invoices.order_id', '=', 'orders.id')
                      .where('invoices.state', '=', 'open')
                      .where('invoices.email', 'is not', null),
                  ),
                ),
              ]),
            ]),
          )
          .limit(BATCH),
      )
      .returning('order_id')
      .execute(),
  )
  return deleted.length
}
