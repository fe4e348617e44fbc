/**
 * What a state means to the rest of the product:
 * - `awaited`: it can be paid. Its Checkout session is kept, encrypted, and the provider is asked about it.
 * - `sold`: it has a card, stands in the books and is sealed. Nothing leads out of it.
 * - `over`: nothing came of it. Its session and, later, its sender's name are forgotten; money that arrives after all
 *   still makes its card.
 */
export type OrderStanding = 'awaited' | 'sold' | 'over'

/**
 * The states of an order, which is one attempt to buy (product.md#payment). The database's CHECK says the same, and a
 * test compares the two: a state that is added here needs a migration.
 */
export const ORDER_STATES = {
  open: { standing: 'awaited' },
  paid: { standing: 'sold' },
  failed: { standing: 'over' },
  expired: { standing: 'over' },
} as const satisfies Record<string, { readonly standing: OrderStanding }>

export type OrderState = keyof typeof ORDER_STATES

/** The state of a new order. */
export const FIRST_ORDER_STATE = 'open' satisfies OrderState

interface OrderMove {
  readonly to: OrderState
  /** Does it move an order that is in this state? Elsewhere it changes nothing: news repeat and arrive in any order. */
  readonly from: Readonly<Record<OrderState, boolean>>
}

/** What can happen to an order, and where it leads. */
export const ORDER_MOVES = {
  /** The provider has the money: also for an order that was given up, since the money is the buyer's. */
  paid: { to: 'paid', from: { open: true, paid: false, failed: true, expired: true } },
  /** The provider was refused the money. */
  failed: { to: 'failed', from: { open: true, paid: false, failed: false, expired: false } },
  /** Nobody has paid in time. */
  expired: { to: 'expired', from: { open: true, paid: false, failed: false, expired: false } },
  /** The same press on the pay button opens a new order in place of this one. */
  replaced: { to: 'expired', from: { open: true, paid: false, failed: true, expired: true } },
} as const satisfies Record<string, OrderMove>

export type OrderEvent = keyof typeof ORDER_MOVES

const STATES = Object.keys(ORDER_STATES) as readonly OrderState[]

/** The states that mean this, in the order of the table. */
export function orderStatesOf(standing: OrderStanding): readonly OrderState[] {
  return STATES.filter(state => ORDER_STATES[state].standing === standing)
}

/** The states that an event moves an order out of. */
export function statesMovedBy(event: OrderEvent): readonly OrderState[] {
  return STATES.filter(state => ORDER_MOVES[event].from[state])
}

/** Has an order in this state a card, and a place in the books? */
export function isSold(state: OrderState): boolean {
  return ORDER_STATES[state].standing === 'sold'
}

/** Can an order in this state still be paid in the ordinary way? */
export function isAwaited(state: OrderState): boolean {
  return ORDER_STATES[state].standing === 'awaited'
}
