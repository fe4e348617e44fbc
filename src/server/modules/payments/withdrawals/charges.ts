import type Stripe from 'stripe'
import { invoiceOf } from '#server/modules/payments/invoices/stored.ts'
import type { Order } from '#server/modules/payments/orders.ts'
import { asking } from '#server/modules/payments/provider.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { WithdrawalParts } from './dependencies.ts'

/** Clocks that differ by more are a fault of their own. */
const SLACK_S = 3_600

/** Keeps which charge paid an order, in the transaction that makes its card. */
export async function keepCharge(
  trx: Writer,
  orderId: string,
  charge: Pick<Stripe.Charge, 'id'> | undefined,
): Promise<void> {
  if (charge === undefined) return
  await trx
    .insertInto('charges')
    .values({ order_id: orderId, charge_id: charge.id })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** The id of the charge that was kept as having paid an order; undefined where none was. */
async function keptCharge(db: Reader, orderId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('charges')
    .select('charge_id')
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row?.charge_id
}

/** Is it known that another charge paid the order? An order can be paid twice, by two sessions. */
export async function isPaidByAnother(db: Reader, orderId: string, chargeId: string): Promise<boolean> {
  const kept = await keptCharge(db, orderId)
  return kept !== undefined && kept !== chargeId
}

/**
 * The id of the charge that paid an order. Orders from before it was kept are looked for among the payments of their
 * time; undefined where there is none, as of an invoice, about which nobody is asked.
 * Problems: provider-unavailable.
 */
export async function chargeOfOrder(
  { db, stripe, log }: Pick<WithdrawalParts, 'db' | 'stripe' | 'log'>,
  order: Order,
): Promise<string | undefined> {
  const kept = await db.read(reader => keptCharge(reader, order.id))
  if (kept !== undefined) return kept
  if (await db.read(reader => invoiceOf(reader, order.id))) return undefined
  const created = {
    gte: Math.floor(order.created_at / 1000) - SLACK_S,
    lte: Math.ceil((order.settled_at ?? order.created_at) / 1000) + SLACK_S,
  }
  return asking(log, async () => {
    for await (const charge of stripe.charges.list({ created, limit: 100 }))
      if (charge.metadata.order_id === order.id && charge.status === 'succeeded') return charge.id
    return undefined
  })
}
