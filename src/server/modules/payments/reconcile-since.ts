import type Stripe from 'stripe'
import { isSold } from '#domain/payment/order-states.ts'
import { noteAsked, openRestoration } from '#server/modules/gifts/cards/restored.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { type Order, orderById } from './orders.ts'
import { asking, providerIdOf } from './provider.ts'
import { applyReversals } from './refunds-and-disputes.ts'
import { trySettle } from './settle.ts'

/** What the provider knew that the database did not. */
export interface Reconciled {
  /** Payments that the provider has. */
  readonly paid: number
  /** Orders that were paid since, whose cards were made. */
  readonly cards: number
  /** Payments with refunds or disputes, which card and books follow now. */
  readonly reversed: number
  /**
   * Payments of orders that are nowhere any more, or that have another session by now: they have to be given back by
   * hand.
   */
  readonly lost: number
}

/**
 * Makes the database agree with everything that the provider has since an instant: payments, refunds, disputes. Each is
 * looked at as if its event had come, so that it may be done again at any time.
 * @param since epoch ms UTC
 * @throws Problem provider-unavailable; what was done until then stays
 */
export async function reconcileSince(deps: PaymentsDependencies, since: number): Promise<Reconciled> {
  const { db, stripe, log } = deps
  const of = { created: { gte: Math.floor(since / 1000) }, limit: 100 }
  const all = <T>(list: () => Stripe.ApiListPromise<T>): Promise<T[]> =>
    asking(log, () => Array.fromAsync(list()))
  /** Did this session pay it? Without a digest an invoice did, or nobody keeps what did. */
  const isOwn = ({ checkout_session_digest: digest }: Order, sessionId: string): boolean =>
    digest === null || digest === deps.keys.keyedDigest(sessionId)
  let paid = 0
  let cards = 0
  let lost = 0
  for (const session of await all(() => stripe.checkout.sessions.list(of))) {
    const orderId = session.metadata?.order_id
    // Something else is sold through the same account, too.
    if (session.payment_status !== 'paid' || orderId === undefined) continue
    paid++
    const order = await db.read(reader => orderById(reader, orderId))
    if (order && isSold(order.status) && isOwn(order, session.id)) continue
    if (order && (await trySettle(deps, session.id))) {
      cards++
      continue
    }
    lost++
    const alarm = 'payment-without-order'
    const facts = {
      order: orderId,
      amount: session.amount_total,
      currency: session.currency?.toUpperCase() ?? null,
      payment: providerIdOf(session.payment_intent),
    }
    // Kept before it is noted that the provider was asked: nobody asks a second time.
    await db.transaction(async trx => log.queueAlarm?.(trx, alarm, facts))
    log.error(alarm, new Error('restored'), facts)
  }
  const reversals = [
    ...(await all(() => stripe.refunds.list(of))),
    ...(await all(() => stripe.disputes.list(of))),
  ]
  const charges = new Set(reversals.flatMap(({ charge }) => providerIdOf(charge) ?? []))
  for (const charge of charges) await applyReversals(deps, charge)
  return { paid, cards, reversed: charges.size, lost }
}

/** Does so once after a backup was brought back. @returns undefined where none was, or the provider was asked already */
export async function reconcileRestored(deps: PaymentsDependencies): Promise<Reconciled | undefined> {
  const restoration = await deps.db.read(openRestoration)
  if (restoration === undefined || restoration.askedAt !== undefined) return undefined
  const found = await reconcileSince(deps, restoration.since)
  await deps.db.transaction(trx => noteAsked(trx, deps.clock()))
  deps.log.info('restored-reconciled', { ...found })
  return found
}
