import type Stripe from 'stripe'
import { isSold } from '#domain/payment/order-states.ts'
import { Problem } from '#domain/problems.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { EVENTS, type FollowedEvent } from './event-types.ts'
import { orderById } from './orders.ts'
import { asking, providerIdOf } from './provider.ts'
import { applyReversals } from './refunds-and-disputes.ts'
import { trySettle } from './settle.ts'

/** An older signature is a recording. The provider signs each delivery anew. */
const SIGNATURE_LIFE_SECONDS = 300

/**
 * Takes one of the provider's events: proves that it is the provider's, then looks at the object it names. Events
 * repeat, are late and overtake each other, so nothing is believed of them but that something happened.
 * Problems: invalid-signature; invalid-fields for an event that names nothing; provider-unavailable (the provider
 * then sends the event again).
 */
export async function receiveEvent(
  deps: PaymentsDependencies,
  rawBody: string,
  signature: string | null,
): Promise<void> {
  const event = await readEvent(deps, rawBody, signature)
  const type = event?.type ?? ''
  if (!isFollowed(type)) return
  const named: unknown = event.data?.object
  switch (EVENTS[type]) {
    case 'session':
      await trySettle(deps, idOf(named))
      return
    case 'charge':
      return chargeChanged(deps, idOf(named))
    case 'of a charge': {
      const charge: unknown = (named as { readonly charge?: unknown } | undefined)?.charge
      return charge ? chargeChanged(deps, idOf(charge)) : undefined
    }
  }
}

const isFollowed = (type: string): type is FollowedEvent => Object.hasOwn(EVENTS, type)

/** The form of the provider's ids. It is checked since addresses are made of them. */
const ID = /^\w{1,255}$/

/** The id of what an event names. A signed body is the provider's; even so it is read as anybody's. */
function idOf(named: unknown): string {
  const id = typeof named === 'object' && named !== null && 'id' in named ? named.id : named
  if (typeof id === 'string' && ID.test(id)) return id
  throw new Problem('invalid-fields', { fields: [{ path: 'data.object', rule: 'id' }] })
}

async function readEvent(
  { stripe, webhookSecret, log, clock }: PaymentsDependencies,
  rawBody: string,
  signature: string | null,
): Promise<Stripe.Event> {
  try {
    return await stripe.webhooks.constructEventAsync(
      rawBody,
      signature ?? '',
      webhookSecret,
      SIGNATURE_LIFE_SECONDS,
      undefined,
      clock(),
    )
  } catch (error) {
    // Anybody can send one: a short line, and its kind alone, since the message quotes the body.
    log.info('payment-event-refused', { reason: error instanceof Error ? error.constructor.name : 'unknown' })
    throw new Problem('invalid-signature')
  }
}

/** A refund or a dispute may overtake the payment itself: then the card is made first. */
async function chargeChanged(deps: PaymentsDependencies, chargeId: string): Promise<void> {
  const { db, stripe, log } = deps
  const charge = await asking(log, () => stripe.charges.retrieve(chargeId))
  const orderId = charge.metadata.order_id
  const order = orderId ? await db.read(reader => orderById(reader, orderId)) : undefined
  if (!order) return
  if (!isSold(order.status)) {
    const intent = providerIdOf(charge.payment_intent)
    if (intent === null) return
    const sessions = await asking(log, () =>
      stripe.checkout.sessions.list({ payment_intent: intent, limit: 1 }),
    )
    for (const { id } of sessions.data) await trySettle(deps, id)
  }
  await applyReversals(deps, chargeId)
}
