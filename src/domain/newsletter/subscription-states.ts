/**
 * The states of a subscription: `pending` until the person confirms it by the mail, and `unsubscribed` once they have
 * left, when nothing of the person is kept. The database's CHECK says the same, and a test compares the two: a state that
 * is added here needs a migration.
 */
export const SUBSCRIPTION_STATES = ['pending', 'active', 'unsubscribed'] as const

export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

interface SubscriptionMove {
  readonly to: SubscriptionState
  /** Does it move a subscription that is in this state? Elsewhere it changes nothing. */
  readonly from: Readonly<Record<SubscriptionState, boolean>>
}

/** What can happen to a subscription, and where it leads. */
export const SUBSCRIPTION_MOVES = {
  /** Somebody typed the address: whoever is subscribed already stays as they are. */
  asked: { to: 'pending', from: { pending: true, active: false, unsubscribed: true } },
  /** The mail's link was pressed. */
  confirmed: { to: 'active', from: { pending: true, active: false, unsubscribed: false } },
  left: { to: 'unsubscribed', from: { pending: true, active: true, unsubscribed: false } },
} as const satisfies Record<string, SubscriptionMove>

/** The states that an event moves a subscription out of. */
export const subscriptionStatesMovedBy = (
  event: keyof typeof SUBSCRIPTION_MOVES,
): readonly SubscriptionState[] => SUBSCRIPTION_STATES.filter(state => SUBSCRIPTION_MOVES[event].from[state])
