import { balanceOfCharge } from './balance.ts'
import { type Bank, DELAYS } from './bank.ts'
import { type DeclineCode, TEST_CARDS, type TestCard, withoutSpaces } from './cards.ts'
import {
  type ApiObject,
  type Charge,
  complete,
  type PaymentIntent,
  type PaymentMethod,
  type Session,
} from './objects.ts'
import { customerDetails, getSession, intentDataOf } from './sessions.ts'

/** What the buyer typed, already checked by the page. */
export interface Entry {
  readonly card: TestCard
  readonly email: string
  /** A card's only. */
  readonly expiry: { readonly month: number; readonly year: number } | null
}

export type Outcome =
  | { readonly kind: 'complete' }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'declined'; readonly code: DeclineCode; readonly declineCode: string | undefined }

/** The buyer presses pay on an open session. */
export function pay(bank: Bank, session: Session, entry: Entry): Outcome {
  const intent = intentOf(bank, session)
  const method = paymentMethod(bank, entry)
  bank.store.add(method)
  const tried: Session = { ...getSession(bank, session.id), customer_details: customerDetails(entry.email) }
  bank.store.save(tried)
  if (!entry.card.challenge) return attempt(bank, tried, { ...intent, payment_method: method.id }, entry.card)
  const asking = save(bank, {
    ...intent,
    status: 'requires_action',
    payment_method: method.id,
    next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
  })
  bank.emit('payment_intent.requires_action', asking)
  return { kind: 'challenge' }
}

/** The buyer answers the bank's question; nothing happens when none was asked. */
export function answerChallenge(bank: Bank, session: Session, passed: boolean): Outcome | undefined {
  const intent = challengedIntent(bank, session)
  if (!intent) return undefined
  const answered: PaymentIntent = { ...intent, next_action: null }
  return passed
    ? attempt(bank, session, answered, cardOf(bank, intent.payment_method!))
    : fail(bank, answered, 'payment_intent_authentication_failure', undefined, null)
}

/** The session's PaymentIntent while the buyer's bank is asking. */
export function challengedIntent(bank: Bank, session: Session): PaymentIntent | undefined {
  const intent =
    session.payment_intent && bank.store.get<PaymentIntent>('payment_intent', session.payment_intent)
  return intent && intent.status === 'requires_action' ? intent : undefined
}

/** Which test card a payment method was made of: the last four digits tell them apart. */
export function cardOf(bank: Bank, methodId: string): TestCard {
  const method = bank.store.get<PaymentMethod>('payment_method', methodId)!
  const { last4 } = method[method.type] as { last4: string }
  return TEST_CARDS.find(card => withoutSpaces(card.number).endsWith(last4))!
}

/** There is none until the buyer first pays; then every further try is of the same one. */
function intentOf(bank: Bank, session: Session): PaymentIntent {
  const known =
    session.payment_intent && bank.store.get<PaymentIntent>('payment_intent', session.payment_intent)
  if (known) return known
  const id = bank.newId('pi_')
  const data = intentDataOf(bank, session)
  const intent = complete<PaymentIntent>({
    id,
    object: 'payment_intent',
    amount: session.amount_total,
    amount_capturable: 0,
    amount_received: 0,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${bank.newId('')}`,
    confirmation_method: 'automatic',
    created: bank.now(),
    currency: session.currency,
    description: data.description ?? null,
    latest_charge: null,
    livemode: false,
    metadata: data.metadata ?? {},
    payment_method: null,
    payment_method_types: session.payment_method_types,
    receipt_email: data.receipt_email ?? null,
    statement_descriptor: data.statement_descriptor ?? null,
    statement_descriptor_suffix: data.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
  })
  bank.store.add(intent)
  bank.store.save({ ...session, payment_intent: id })
  bank.emit('payment_intent.created', intent)
  return intent
}

function attempt(bank: Bank, session: Session, intent: PaymentIntent, card: TestCard): Outcome {
  if (card.decline) {
    const charge = addCharge(bank, session, intent, card, 'failed')
    return fail(bank, intent, card.decline.code, card.decline.declineCode, charge)
  }
  const charge = addCharge(bank, session, intent, card, card.delayed ? 'pending' : 'succeeded')
  if (card.delayed) {
    const waiting = save(bank, {
      ...intent,
      status: 'processing',
      latest_charge: charge.id,
      last_payment_error: null,
    })
    bank.emit('charge.pending', charge)
    bank.emit('payment_intent.processing', waiting)
    bank.later(DELAYS.sepaResultMs, 'delayed-result', session.id)
  } else {
    succeed(bank, intent, charge)
    if (card.dispute) bank.later(DELAYS.disputeMs, 'open-dispute', charge.id)
  }
  const done: Session = {
    ...session,
    status: 'complete',
    payment_status: card.delayed ? 'unpaid' : 'paid',
    url: null,
  }
  bank.store.save(done)
  bank.emit('checkout.session.completed', done)
  return { kind: 'complete' }
}

function succeed(bank: Bank, intent: PaymentIntent, captured: Charge) {
  const charge = balanceOfCharge(bank, captured)
  const paid = save(bank, {
    ...intent,
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
  })
  bank.emit('charge.succeeded', charge)
  bank.emit('payment_intent.succeeded', paid)
}

function fail(
  bank: Bank,
  intent: PaymentIntent,
  code: DeclineCode,
  declineCode: string | undefined,
  charge: Charge | null,
): Outcome {
  const failed = save(bank, {
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge: charge?.id ?? intent.latest_charge,
    last_payment_error: {
      type: charge ? 'card_error' : 'invalid_request_error',
      code,
      ...(declineCode !== undefined && { decline_code: declineCode }),
      message: MESSAGES[code],
      ...(charge && { charge: charge.id }),
      payment_method: bank.store.get('payment_method', intent.payment_method!),
    },
  })
  if (charge) bank.emit('charge.failed', charge)
  bank.emit('payment_intent.payment_failed', failed)
  return { kind: 'declined', code, declineCode }
}

/** The task when a direct debit's result is in. */
export function settleDelayed(bank: Bank, sessionId: string): void {
  const session = getSession(bank, sessionId)
  const intent = bank.store.get<PaymentIntent>('payment_intent', session.payment_intent!)!
  const charge = bank.store.get<Charge>('charge', intent.latest_charge!)!
  if (cardOf(bank, charge.payment_method).delayed === 'fails') {
    const failed = save(bank, {
      ...charge,
      status: 'failed' as const,
      paid: false,
      ...failure('card_declined'),
    })
    fail(bank, intent, 'card_declined', 'generic_decline', failed)
    bank.emit('checkout.session.async_payment_failed', session)
    return
  }
  succeed(bank, intent, save(bank, { ...charge, ...captured(charge.amount) }))
  const paid = save(bank, { ...session, payment_status: 'paid' as const })
  bank.emit('checkout.session.async_payment_succeeded', paid)
}

const MESSAGES: Readonly<Record<DeclineCode, string>> = {
  card_declined: 'Your card was declined.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  payment_intent_authentication_failure:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

const captured = (amount: number) => ({
  status: 'succeeded' as const,
  amount_captured: amount,
  captured: true,
  paid: true,
})

const failure = (code: DeclineCode) => ({ failure_code: code, failure_message: MESSAGES[code] })

function save<T extends ApiObject>(bank: Bank, object: T): T {
  bank.store.save(object)
  return object
}

function addCharge(
  bank: Bank,
  session: Session,
  intent: PaymentIntent,
  card: TestCard,
  status: Charge['status'],
): Charge {
  const method = bank.store.get<PaymentMethod>('payment_method', intent.payment_method!)!
  const charge = complete<Charge>({
    id: bank.newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    billing_details: billingDetails((session.customer_details as { email: string }).email),
    captured: false,
    created: bank.now(),
    currency: intent.currency,
    description: intent.description,
    disputed: false,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: card.decline ? 'declined_by_network' : 'approved_by_network',
      reason: card.decline ? (card.decline.declineCode ?? card.decline.code) : null,
      risk_level: 'normal',
      seller_message: null,
      type: card.decline ? 'issuer_declined' : 'authorized',
    },
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: method[method.type] },
    receipt_email: intent.receipt_email,
    refunded: false,
    status,
    ...(status === 'succeeded' && captured(intent.amount)),
    ...(card.decline && failure(card.decline.code)),
  })
  bank.store.add(charge)
  return charge
}

function paymentMethod(bank: Bank, { card, email, expiry }: Entry): PaymentMethod {
  const number = withoutSpaces(card.number)
  const last4 = number.slice(-4)
  const details =
    card.method === 'sepa_debit'
      ? {
          bank_code: number.slice(4, 9),
          branch_code: '',
          country: card.country,
          fingerprint: `test-${last4}`,
          last4,
          mandate: null,
        }
      : {
          brand: card.brand,
          checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
          country: card.country,
          exp_month: expiry?.month,
          exp_year: expiry?.year,
          fingerprint: `test-${last4}`,
          funding: 'credit',
          last4,
          network: card.brand,
          three_d_secure: null,
          wallet: null,
        }
  return complete<PaymentMethod>({
    id: bank.newId('pm_'),
    object: 'payment_method',
    billing_details: billingDetails(email),
    created: bank.now(),
    livemode: false,
    metadata: {},
    type: card.method,
    [card.method]: details,
  })
}

const billingDetails = (email: string) => ({ address: null, email, name: null, phone: null, tax_id: null })
