interface PayoutFacts {
  /** The account of the books on which its money stands; null where it has gone back to the organisation's own. */
  readonly account: 'payouts-open' | 'payouts' | null
}

/**
 * The states of a payout, which is money on its way to one organisation. The database's CHECK says the same, and a test
 * compares the two: a state that is added here needs a migration.
 */
export const PAYOUT_STATES = {
  open: { account: 'payouts-open' },
  paid: { account: 'payouts' },
  /** Made by mistake and taken back: what it paid out is owed again. */
  cancelled: { account: null },
} as const satisfies Record<string, PayoutFacts>

export type PayoutState = keyof typeof PAYOUT_STATES

/** The state of a new payout. */
export const FIRST_PAYOUT_STATE = 'open' satisfies PayoutState

interface PayoutMove {
  readonly to: PayoutState
  /** Does it move a payout that is in this state? */
  readonly from: Readonly<Record<PayoutState, boolean>>
}

/** What can happen to a payout, and where it leads. */
export const PAYOUT_MOVES = {
  /** The bank has paid it. */
  paid: { to: 'paid', from: { open: true, paid: false, cancelled: false } },
  /** It was made by mistake, and the bank has not paid it. */
  cancelled: { to: 'cancelled', from: { open: true, paid: false, cancelled: false } },
} as const satisfies Record<string, PayoutMove>

/** The names of the states. */
export const PAYOUT_STATE_NAMES = Object.keys(PAYOUT_STATES) as readonly PayoutState[]

/** The states whose money stands on this account. */
export const payoutStatesOn = (account: NonNullable<PayoutFacts['account']>): readonly PayoutState[] =>
  PAYOUT_STATE_NAMES.filter(state => PAYOUT_STATES[state].account === account)

/** The states that an event moves a payout out of. */
export const payoutStatesMovedBy = (event: keyof typeof PAYOUT_MOVES): readonly PayoutState[] =>
  PAYOUT_STATE_NAMES.filter(state => PAYOUT_MOVES[event].from[state])
