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
  /** That the bank has paid it was noted by mistake. */
  unpaid: { to: 'open', from: { open: false, paid: true, cancelled: false } },
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

/**
 * The sets of the books by which a payout is noted as paid, and by which that is taken back. Each time has its own.
 * @param takenBack how often it was taken back before
 */
export const paidSets = (payoutId: string, takenBack: number) => {
  const time = takenBack === 0 ? '' : `:${takenBack + 1}`
  return { paid: `payout-paid:${payoutId}${time}`, unpaid: `payout-unpaid:${payoutId}${time}` }
}

/** What may be known of a payout that was noted as paid. */
interface NotedPaid {
  /** A statement of the bank has shown that very transfer. */
  readonly isSeen: boolean
  /** Its organisation says that the money has arrived. */
  readonly isReceived: boolean
}

/** Why it cannot be taken back that the bank has paid a payout; undefined where it can. */
export function unpaidRefusal({ isSeen, isReceived }: NotedPaid): 'seen-at-bank' | 'received' | undefined {
  if (isSeen) return 'seen-at-bank'
  return isReceived ? 'received' : undefined
}
