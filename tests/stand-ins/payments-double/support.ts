import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { onTestFinished } from 'vitest'
import {
  createPaymentsDouble,
  type PaymentsDouble,
  type PaymentsDoubleOptions,
} from '#stand-ins/payments-double/index.ts'

export const SITE = 'http://localhost:4321'
export const SECRET = 'whsec_of_these_tests'
export const START = Date.UTC(2026, 10, 21, 9, 0, 0)

export interface Received {
  readonly url: string
  readonly body: string
  readonly signature: string
  readonly type: string
}

/**
 * A double with a clock that is set by hand and an endpoint that answers what `endpoint.status` says, and the
 * real SDK on top of it. `restart()` closes it and opens another on the same folder, as a new process would.
 */
export function openDouble(
  options: { readonly key?: string; readonly config?: Partial<ConstructorParameters<typeof Stripe>[1]> } = {},
  double: Pick<PaymentsDoubleOptions, 'settles'> = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'payments-double-'))
  const time = { now: START }
  const received: Received[] = []
  const endpoint = { status: 200 as number | 'no answer' }
  const open = () =>
    createPaymentsDouble({
      ...double,
      dataDir,
      siteUrl: SITE,
      webhookUrl: () => `${SITE}/api/stripe/webhook`,
      webhookSecret: SECRET,
      clock: () => time.now,
      deliver: async (url, init) => {
        const body = String(init.body)
        received.push({
          url,
          body,
          signature: new Headers(init.headers).get('stripe-signature')!,
          type: JSON.parse(body).type,
        })
        if (endpoint.status === 'no answer') return new Promise(() => {})
        return new Response(null, { status: endpoint.status })
      },
    })
  const current: { double: PaymentsDouble } = { double: open() }
  onTestFinished(() => {
    current.double.close()
    rmSync(dataDir, { recursive: true })
  })
  const stripe = new Stripe(options.key ?? 'sk_test_local', {
    telemetry: false,
    ...options.config,
    httpClient: Stripe.createFetchHttpClient((input, init) => current.double.fetch(new Request(input, init))),
  })
  const visit = async (id: string, init: RequestInit) => {
    const response = await current.double.fetch(new Request(`${SITE}/c/pay/${id}`, init))
    return { response, text: await response.text() }
  }
  /** The hosted page, as a browser without scripts asks for it. */
  const page = (id: string, headers: Record<string, string> = {}) => visit(id, { headers })
  const press = (id: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    visit(id, { method: 'POST', headers, body: new URLSearchParams(fields) })
  /** Opens a session and pays it with this card. */
  const paid = async (card: string, overrides: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
    const session = await stripe.checkout.sessions.create(donation(overrides))
    await press(session.id, entry({ card_number: card }))
    return stripe.checkout.sessions.retrieve(session.id)
  }

  return {
    stripe,
    received,
    endpoint,
    time,
    page,
    press,
    paid,
    /** One more process on the same folder; to be closed by the test. */
    open,
    get double() {
      return current.double
    },
    types: () => received.map(one => one.type),
    async advance(ms: number) {
      time.now += ms
      await current.double.runDue()
    },
    restart() {
      current.double.close()
      current.double = open()
    },
  }
}

/** What the product asks for, about. */
export function donation(
  overrides: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    locale: 'es',
    submit_type: 'donate',
    adaptive_pricing: { enabled: false },
    client_reference_id: 'order-1',
    metadata: { order_id: 'order-1' },
    payment_intent_data: { metadata: { order_id: 'order-1' } },
    success_url: `${SITE}/success?session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${SITE}/checkout`,
    line_items: [line(5000, 'Para las organizaciones'), line(850, 'Apoyo')],
    ...overrides,
  }
}

export const line = (amount: number, name: string, currency = 'eur') => ({
  quantity: 1,
  price_data: { currency, unit_amount: amount, product_data: { name } },
})

export const entry = (overrides: Record<string, string> = {}) => ({
  email: 'ana@example.org',
  card_number: '4242 4242 4242 4242',
  expiry: '04/30',
  cvc: '123',
  ...overrides,
})

/** What a refused call throws. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error
    throw error
  }
  throw new Error('The call was not refused')
}
