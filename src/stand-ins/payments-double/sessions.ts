import type { Bank } from './bank.ts'
import { missing, refuse } from './errors.ts'
import { type ApiObject, complete, type LineItem, type PaymentIntent, type Session } from './objects.ts'
import type { RequestedItem, SessionRequest } from './session-rules.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Opens a session for a checked request, with its line items. */
export function createSession(bank: Bank, request: SessionRequest): Session {
  const now = bank.now()
  const id = bank.newId('cs_test_', 58)
  const currency = request.line_items[0]!.price_data.currency.toLowerCase()
  const total = request.line_items.reduce((sum, item) => sum + item.price_data.unit_amount * item.quantity, 0)
  const session = complete<Session>({
    id,
    object: 'checkout.session',
    adaptive_pricing: { enabled: false },
    allowed_payment_method_types: request.allowed_payment_method_types ?? null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    cancel_url: request.cancel_url ?? null,
    client_reference_id: request.client_reference_id ?? null,
    created: now,
    currency,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_creation: 'if_required',
    customer_details: request.customer_email === undefined ? null : customerDetails(request.customer_email),
    customer_email: request.customer_email ?? null,
    expires_at: request.expires_at ?? now + DAY_SECONDS,
    livemode: false,
    locale: request.locale ?? null,
    metadata: request.metadata ?? {},
    mode: 'payment',
    payment_intent: null,
    payment_method_collection: 'if_required',
    payment_method_options: {},
    payment_method_types: methodTypes(request, currency),
    payment_status: 'unpaid',
    shipping_options: [],
    status: 'open',
    submit_type: request.submit_type ?? null,
    success_url: request.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${bank.siteUrl}/c/pay/${id}`,
    ...(request.excluded_payment_method_types && {
      excluded_payment_method_types: request.excluded_payment_method_types,
    }),
  })
  bank.store.add(session)
  // The API lists line items in the order they were given, the store newest first.
  for (const item of request.line_items.toReversed()) bank.store.add(lineItem(bank, item, currency), id)
  // What the PaymentIntent will carry is set here and kept until the buyer first pays.
  bank.store.add({ ...request.payment_intent_data, id: intentDataId(id), object: 'intent_data' })
  bank.later((session.expires_at - now) * 1000, 'expire-session', id)
  return session
}

const intentDataId = (sessionId: string) => `${sessionId}/payment_intent_data`

export function intentDataOf(
  bank: Bank,
  session: Session,
): NonNullable<SessionRequest['payment_intent_data']> {
  const { id: _id, object: _object, ...data } = bank.store.find(intentDataId(session.id)) as ApiObject
  return data
}

/** Direct debit exists only in euros. */
function methodTypes(request: SessionRequest, currency: string): string[] {
  const types = (currency === 'eur' ? ['card', 'sepa_debit'] : ['card']).filter(
    type =>
      (request.allowed_payment_method_types?.includes(type) ?? true) &&
      !request.excluded_payment_method_types?.includes(type),
  )
  if (types.length === 0)
    refuse('No payment method is left for this Checkout Session.', 'allowed_payment_method_types')
  return types
}

function lineItem(bank: Bank, item: RequestedItem, currency: string): LineItem {
  const { unit_amount, product_data, tax_behavior } = item.price_data
  const amount = unit_amount * item.quantity
  return complete<LineItem>({
    id: bank.newId('li_'),
    object: 'item',
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency,
    description: product_data.name,
    metadata: item.metadata ?? {},
    price: complete({
      id: bank.newId('price_'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: bank.now(),
      currency,
      livemode: false,
      metadata: {},
      product: bank.newId('prod_', 14),
      tax_behavior: tax_behavior ?? 'unspecified',
      type: 'one_time',
      unit_amount,
      unit_amount_decimal: String(unit_amount),
    }),
    quantity: item.quantity,
  })
}

export function customerDetails(email: string) {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name: null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
}

export function getSession(bank: Bank, id: string): Session {
  return bank.store.get<Session>('checkout.session', id) ?? missing('checkout.session', id, 'session')
}

/** By request of the merchant, or (see `index.ts`) when its time has come. Only an open one can expire. */
export function expireSession(bank: Bank, id: string): Session {
  const session = getSession(bank, id)
  if (session.status !== 'open')
    refuse(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    )
  const intent =
    session.payment_intent && bank.store.get<PaymentIntent>('payment_intent', session.payment_intent)
  if (intent) {
    const canceled = {
      ...intent,
      status: 'canceled' as const,
      canceled_at: bank.now(),
      cancellation_reason: 'automatic',
      next_action: null,
    }
    bank.store.save(canceled)
    bank.emit('payment_intent.canceled', canceled)
  }
  const expired: Session = { ...session, status: 'expired', url: null }
  bank.store.save(expired)
  bank.emit('checkout.session.expired', expired)
  return expired
}

/** The task at `expires_at`: a session that was paid or expired meanwhile stays as it is. */
export function expireWhenOpen(bank: Bank, id: string): void {
  if (getSession(bank, id).status === 'open') expireSession(bank, id)
}
