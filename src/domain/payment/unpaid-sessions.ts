import type { ORDER_STATES, OrderEvent, OrderState } from './order-states.ts'

/** The states of an order that has no card. */
type UnpaidState = {
  [State in OrderState]: (typeof ORDER_STATES)[State]['standing'] extends 'sold' ? never : State
}[OrderState]

interface UnpaidSessionFacts {
  /** What it does to the order; null where it is too soon to say. */
  readonly event: OrderEvent | null
  /** What the buyer's page shows: it asks again by itself (`pending`), or offers to pay again (`unpaid`). */
  readonly page: 'pending' | 'unpaid'
}

/**
 * The outcome of a payment session that is not paid: a state of its order, or `processing` while the money of a slow
 * payment method is on its way. Problem `payment-not-completed` carries the word in its field `payment`.
 */
export const UNPAID_SESSIONS = {
  open: { event: null, page: 'unpaid' },
  processing: { event: null, page: 'pending' },
  failed: { event: 'failed', page: 'unpaid' },
  expired: { event: 'expired', page: 'unpaid' },
} as const satisfies Record<UnpaidState | 'processing', UnpaidSessionFacts>

export type UnpaidSession = keyof typeof UNPAID_SESSIONS

/** What the buyer's page shows for a session's word, as it came from the server; `unpaid` for an unknown one. */
export function pageOfUnpaid(word: string | undefined): UnpaidSessionFacts['page'] {
  return word !== undefined && Object.hasOwn(UNPAID_SESSIONS, word)
    ? UNPAID_SESSIONS[word as UnpaidSession].page
    : 'unpaid'
}
