import type { Currency } from '#domain/money/currency.ts'
import { refuse, refuseUnmodelled } from './errors.ts'
import type { Metadata } from './objects.ts'
import type { Params } from './validate.ts'

/** A request for a session after the rules: only what the double imitates is left in it. */
export interface SessionRequest {
  readonly locale?: string
  readonly submit_type?: string
  readonly customer_email?: string
  readonly client_reference_id?: string
  readonly metadata?: Metadata
  readonly payment_intent_data?: {
    readonly metadata?: Metadata
    readonly description?: string
    readonly receipt_email?: string
    readonly statement_descriptor?: string
    readonly statement_descriptor_suffix?: string
  }
  readonly allowed_payment_method_types?: readonly string[]
  readonly excluded_payment_method_types?: readonly string[]
  readonly success_url: string
  readonly cancel_url?: string
  readonly expires_at?: number
  readonly line_items: readonly RequestedItem[]
}

export interface RequestedItem {
  readonly quantity: number
  readonly metadata?: Metadata
  readonly price_data: {
    readonly currency: string
    readonly unit_amount: number
    readonly tax_behavior?: string
    readonly product_data: { readonly name: string; readonly description?: string }
  }
}

const IMITATED = {
  '': 'adaptive_pricing allowed_payment_method_types cancel_url client_reference_id currency customer_email excluded_payment_method_types expand expires_at line_items locale metadata mode payment_intent_data submit_type success_url ui_mode',
  payment_intent_data: 'description metadata receipt_email statement_descriptor statement_descriptor_suffix',
  item: 'metadata price_data quantity',
  price_data: 'currency product_data tax_behavior unit_amount',
  product_data: 'description name',
} as const

/** The least amount per currency, minor units; other currencies are outside of the double. */
const LEAST_TOTAL: Readonly<Record<string, number>> = {
  eur: 50,
  usd: 50,
  cad: 50,
  gbp: 30,
} satisfies Record<Lowercase<Currency>, number>
const GREATEST_TOTAL = 99_999_999
const EMAIL = /^[^\s@<>()",;:]+@[^\s@<>()",;:]+\.[^\s@.]{2,}$/

export const isEmail = (text: string) => text.length <= 254 && EMAIL.test(text)

/** The rules that no declaration states. `now` in epoch seconds. */
export function checkSessionRequest(params: Params, now: number): SessionRequest {
  imitatedOnly('', params)
  if (params.mode === undefined) refuse('Missing required param: mode.', 'mode', 'parameter_missing')
  if (params.mode !== 'payment') refuseUnmodelled(`mode: ${params.mode}`)
  if ((params.ui_mode ?? 'hosted_page') !== 'hosted_page') refuseUnmodelled(`ui_mode: ${params.ui_mode}`)
  if ((params.adaptive_pricing as { enabled?: boolean } | undefined)?.enabled)
    refuseUnmodelled('adaptive_pricing[enabled]')
  if (params.payment_intent_data) imitatedOnly('payment_intent_data', params.payment_intent_data as Params)

  if (params.success_url === undefined)
    refuse('Missing required param: success_url.', 'success_url', 'parameter_missing')
  for (const name of ['success_url', 'cancel_url'] as const)
    if (params[name] !== undefined) absoluteUrl(params[name] as string, name)
  if (params.customer_email !== undefined && !isEmail(params.customer_email as string))
    refuse(`Invalid email address: ${params.customer_email}`, 'customer_email', 'email_invalid')
  if (params.client_reference_id !== undefined && (params.client_reference_id as string).length > 200)
    refuse('client_reference_id can have up to 200 characters', 'client_reference_id')
  if (params.expires_at !== undefined) expiry(params.expires_at as number, now)
  items(params)
  return params as unknown as SessionRequest
}

function imitatedOnly(part: keyof typeof IMITATED, params: Params, prefix: string = part) {
  const known = IMITATED[part].split(' ')
  for (const key of Object.keys(params))
    if (!known.includes(key)) refuseUnmodelled(prefix === '' ? key : `${prefix}[${key}]`)
}

function absoluteUrl(text: string, name: string) {
  // The template's braces are no part of a URL, but allowed in it.
  const url = URL.parse(text.replaceAll('{CHECKOUT_SESSION_ID}', 'id'))
  if (!url || !/^https?:\/\//i.test(text))
    refuse('Not a valid URL; it must be absolute and begin with http:// or https://', name, 'url_invalid')
}

function expiry(at: number, now: number) {
  if (at < now + 30 * 60)
    refuse(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      'expires_at',
    )
  if (at > now + 24 * 60 * 60)
    refuse(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
}

function items(params: Params) {
  const lines = (params.line_items as Params[] | undefined) ?? []
  if (lines.length === 0) refuse('Missing required param: line_items.', 'line_items', 'parameter_missing')
  if (lines.length > 100) refuse('line_items can have up to 100 items', 'line_items')
  let total = 0
  let currency = (params.currency as string | undefined)?.toLowerCase()
  lines.forEach((line, index) => {
    const name = `line_items[${index}]`
    const price = line.price_data as Params | undefined
    if (!price && line.price === undefined)
      refuse(`One of price or price_data is required.`, `${name}[price_data]`, 'parameter_missing')
    imitatedOnly('item', line, name)
    imitatedOnly('price_data', price!, `${name}[price_data]`)
    const required = (value: unknown, param: string) =>
      value ?? refuse(`Missing required param: ${param}.`, param, 'parameter_missing')
    const product = required(price!.product_data, `${name}[price_data][product_data]`) as Params
    imitatedOnly('product_data', product, `${name}[price_data][product_data]`)
    const amount = required(price!.unit_amount, `${name}[price_data][unit_amount]`) as number
    const quantity = required(line.quantity, `${name}[quantity]`) as number
    if (amount < 0)
      refuse(
        `Invalid non-negative integer: ${amount}`,
        `${name}[price_data][unit_amount]`,
        'parameter_invalid_integer',
      )
    if (quantity < 1)
      refuse(
        'This value must be greater than or equal to 1.',
        `${name}[quantity]`,
        'parameter_invalid_integer',
      )
    const own = (price!.currency as string).toLowerCase()
    if (LEAST_TOTAL[own] === undefined)
      refuse(
        `Invalid currency: ${own}. The local payments double knows ${Object.keys(LEAST_TOTAL).join(', ')}.`,
        `${name}[price_data][currency]`,
      )
    currency ??= own
    if (own !== currency)
      refuse('All line items must be in the same currency.', `${name}[price_data][currency]`)
    total += amount * quantity
  })
  if (total < LEAST_TOTAL[currency!]!)
    refuse(
      `The Checkout Session's total amount due must add up to at least ${LEAST_TOTAL[currency!]! / 100} ${currency}`,
      'line_items',
      'amount_too_small',
    )
  if (total > GREATEST_TOTAL)
    refuse('The total amount due must be no more than 999,999.99', 'line_items', 'amount_too_large')
}
