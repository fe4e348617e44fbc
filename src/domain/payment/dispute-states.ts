import { DAY_MS } from '../durations.ts'

/** How a dispute stands, in our words. The database's CHECK says the same, and a test compares the two. */
export const DISPUTE_STATES = [
  /** The buyer's bank waits for an answer. */
  'to-answer',
  /** It was answered, or the time for it is over; the bank decides. */
  'with-bank',
  'won',
  'lost',
  /** Nobody decided: the bank asked and let it be, or the dispute was prevented. */
  'closed',
] as const

export type DisputeState = (typeof DISPUTE_STATES)[number]

/** The provider's words. A `warning` is a question of the bank before a dispute. */
const STATES: Readonly<Record<string, DisputeState>> = {
  needs_response: 'to-answer',
  warning_needs_response: 'to-answer',
  under_review: 'with-bank',
  warning_under_review: 'with-bank',
  won: 'won',
  lost: 'lost',
  warning_closed: 'closed',
  prevented: 'closed',
}

/** The state of a dispute of this status at the provider. A word that is new counts as one to answer: a person looks. */
export const disputeStateOf = (status: string): DisputeState => STATES[status] ?? 'to-answer'

/** Is it undecided, so that its card is held? */
export const isDisputeOpen = (state: DisputeState): boolean => state === 'to-answer' || state === 'with-bank'

/** The states of undecided disputes. */
export const OPEN_DISPUTE_STATES: readonly DisputeState[] = DISPUTE_STATES.filter(isDisputeOpen)

/** So long before the last day the operator is told once more. */
const NEAR_MS = 3 * DAY_MS

/** Is the time for an answer nearly over? @param answerBy epoch ms UTC; null where the provider names no day */
export const isDeadlineNear = (answerBy: number | null, now: number): boolean =>
  answerBy !== null && answerBy - now <= NEAR_MS
