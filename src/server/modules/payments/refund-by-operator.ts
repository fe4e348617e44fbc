import Stripe from 'stripe'
import { type ActRefusal, type RefundAsked, type Refundable, refundRefusal } from '#domain/desk/acts.ts'
import { givenBack, totalOf } from '#domain/money/reversal.ts'
import { isSold } from '#domain/payment/order-states.ts'
import { isUnfinished } from '#domain/withdrawal/withdrawal.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type Order, orderById } from './orders.ts'
import { asking } from './provider.ts'
import { applyReversals, factsOf, type ReversalsDependencies, saleOf } from './refunds-and-disputes.ts'
import { chargeOfOrder } from './withdrawals/charges.ts'
import { withdrawalOf } from './withdrawals/stored.ts'

/** What may be given back of an order now, as the payment provider says it; undefined where nobody paid. */
async function refundableOf(deps: ReversalsDependencies, orderId: string) {
  const order = await deps.db.read(reader => orderById(reader, orderId))
  if (!order || !isSold(order.status)) return undefined
  const charge = await chargeOfOrder(deps, order)
  if (charge === undefined) return undefined
  const facts = await factsOf(deps, charge)
  // A charge that says another order is not ours to give back, whatever our row says.
  if (facts.orderId !== order.id) return undefined
  const now: Refundable = {
    left: totalOf(saleOf(order)) - givenBack(facts, saleOf(order)),
    currency: order.currency,
    isDisputed: facts.isDisputed,
    isWithdrawn: await isWithdrawn(deps.db, order),
  }
  return { order, charge, now, refunds: facts.refunds }
}

async function isWithdrawn(db: Database, { id }: Order): Promise<boolean> {
  const withdrawal = await db.read(reader => withdrawalOf(reader, id))
  return withdrawal !== undefined && isUnfinished(withdrawal.state)
}

/**
 * Gives back a payment, whole or in part, and makes card and books follow. The same look and amount are one refund,
 * however often and from wherever it is asked for: what was given back before is in the provider's key.
 * @returns why it was refused, by our rules or by the provider. Problem provider-unavailable.
 */
export async function refundByOperator(
  deps: ReversalsDependencies,
  orderId: string,
  asked: RefundAsked,
): Promise<ActRefusal | undefined> {
  const found = await refundableOf(deps, orderId)
  if (found === undefined) return 'nothing-paid'
  const { charge, now, refunds } = found
  const refusal = refundRefusal(asked, now)
  if (refusal !== undefined) return refusal
  try {
    await deps.stripe.refunds.create(
      { charge, amount: asked.amount, metadata: { operator: orderId } },
      { idempotencyKey: `operator:${orderId}:${refunds}:${now.left}:${asked.amount}` },
    )
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) {
      deps.log.info('operator-not-refunded', { order: orderId, code: error.code ?? error.type })
      return 'provider-refused'
    }
    return asking(deps.log, () => Promise.reject(error))
  }
  await applyReversals(deps, charge)
  return undefined
}
