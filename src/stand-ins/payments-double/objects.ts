import contract from './contract/generated/contract.json' with { type: 'json' }

/** Any object of the API as it is stored and answered: plain JSON with at least these two keys. */
export interface ApiObject {
  readonly id: string
  readonly object: string
  readonly [key: string]: unknown
}

export type Metadata = Readonly<Record<string, string>>

export interface Session extends ApiObject {
  readonly object: 'checkout.session'
  readonly status: 'open' | 'complete' | 'expired'
  readonly payment_status: 'paid' | 'unpaid'
  readonly payment_intent: string | null
  readonly payment_method_types: readonly string[]
  readonly amount_total: number
  readonly currency: string
  readonly locale: string | null
  readonly submit_type: string | null
  readonly customer_email: string | null
  readonly success_url: string
  readonly cancel_url: string | null
  readonly expires_at: number
  readonly metadata: Metadata
}

export interface LineItem extends ApiObject {
  readonly object: 'item'
  readonly description: string
  readonly quantity: number
  readonly amount_total: number
  readonly currency: string
}

export interface PaymentIntent extends ApiObject {
  readonly object: 'payment_intent'
  readonly status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  readonly amount: number
  readonly currency: string
  readonly metadata: Metadata
  readonly payment_method: string | null
  readonly latest_charge: string | null
}

export interface PaymentMethod extends ApiObject {
  readonly object: 'payment_method'
  readonly type: 'card' | 'sepa_debit'
}

export interface Charge extends ApiObject {
  readonly object: 'charge'
  readonly status: 'succeeded' | 'pending' | 'failed'
  readonly amount: number
  readonly amount_refunded: number
  readonly currency: string
  readonly disputed: boolean
  readonly payment_intent: string
  readonly payment_method: string
}

export interface Refund extends ApiObject {
  readonly object: 'refund'
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly amount: number
  readonly currency: string
  readonly charge: string
}

export interface Dispute extends ApiObject {
  readonly object: 'dispute'
  readonly status: 'needs_response' | 'under_review' | 'won' | 'lost'
  readonly charge: string
  readonly balance_transactions: readonly BalanceTransaction[]
}

export interface BalanceTransaction extends ApiObject {
  readonly object: 'balance_transaction'
  readonly type: string
  readonly reporting_category: string
  readonly amount: number
  readonly available_on: number
  readonly balance_type: 'payments'
  readonly created: number
  readonly currency: string
  readonly description: string | null
  readonly exchange_rate: number | null
  readonly fee: number
  readonly fee_details: readonly {
    readonly amount: number
    readonly application: string | null
    readonly currency: string
    readonly description: string | null
    readonly type: string
  }[]
  readonly net: number
  readonly source: string | null
  readonly status: 'available' | 'pending'
}

export interface Payout extends ApiObject {
  readonly object: 'payout'
  readonly amount: number
  readonly arrival_date: number
  readonly automatic: boolean
  readonly created: number
  readonly currency: string
  readonly livemode: boolean
  readonly method: 'standard'
  readonly reconciliation_status: 'completed' | 'in_progress' | 'not_applicable'
  readonly source_type: string
  readonly status: 'in_transit' | 'paid' | 'failed'
  readonly type: 'bank_account'
}

export interface ApiEvent extends ApiObject {
  readonly object: 'event'
  readonly type: string
}

/**
 * Fills in, from the generated contract, the keys an object of this kind always has: unknown ones are null.
 * Throws when a key that may not be null was left out, so an update of the SDK shows up at once.
 */
export function complete<T extends ApiObject>(values: T): T {
  const keys = (contract.responses as Record<string, { given: string[]; nullable: string[] }>)[values.object]
  const missing = keys?.given.filter(key => values[key] === undefined) ?? []
  if (missing.length > 0) throw new Error(`A ${values.object} without ${missing.join(', ')}`)
  return { ...Object.fromEntries((keys?.nullable ?? []).map(key => [key, null])), ...values }
}
