import Stripe from 'stripe'
import { type ActRefusal, type RefundAsked, type Refundable, refundRefusal } from '#domain/desk/acts.ts'
import { givenBack, totalOf } from '#domain/money/reversal.ts'
import { isSold } from '#domain/payment/order-states.ts'
import { isUnfinished } from '#domain/withdrawal/withdrawal.ts'
import type { Database } from '#server/platform/db/database.ts'
import { saleOf } from './card-reversals.ts'
import { nameCards } from './named-cards.ts'
import { type Order, orderById } from './orders.ts'
import { asking } from './provider.ts'
import { applyReversals, factsOf, leftOfOneCard, type ReversalsDependencies } from './refunds-and-disputes.ts'
import { chargeOfOrder } from './withdrawals/charges.ts'
import { withdrawalsOf } from './withdrawals/stored.ts'

/** What may be given back of an order now, as the payment provider says it; undefined where nobody paid. */
async function refundableOf(deps: ReversalsDependencies, orderId: string, number: number | undefined) {
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
    ...(number !== undefined && {
      leftOfCard: await leftOfOneCard(deps.db, order, facts, number - 1),
    }),
  }
  return { order, charge, now, refunds: facts.refunds }
}

async function isWithdrawn(db: Database, { id }: Order): Promise<boolean> {
  const withdrawals = await db.read(reader => withdrawalsOf(reader, id))
  return withdrawals.some(({ state }) => isUnfinished(state))
}

/**
 * Gives back a payment, whole or in part, and makes card and books follow. The same look and amount are one refund,
 * however often and from wherever it is asked for: what was given back before is in the provider's key.
 * @param number of the one card that it is for, of an order of many
 * @returns why it was refused, by our rules or by the provider. Problem provider-unavailable.
 */
export async function refundByOperator(
  deps: ReversalsDependencies,
  orderId: string,
  asked: RefundAsked,
  number?: number,
): Promise<ActRefusal | undefined> {
  const found = await refundableOf(deps, orderId, number)
  if (found === undefined) return 'nothing-paid'
  const { charge, now, refunds } = found
  const refusal = refundRefusal(asked, now)
  if (refusal !== undefined) return refusal
  try {
    await deps.stripe.refunds.create(
      {
        charge,
        amount: asked.amount,
        metadata: { operator: orderId, ...(number !== undefined && nameCards(String(number))) },
      },
      {
        idempotencyKey: [
          'operator',
          orderId,
          refunds,
          now.left,
          asked.amount,
          ...(number === undefined ? [] : [number]),
        ].join(':'),
      },
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
