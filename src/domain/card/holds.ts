import { MINUTE_MS } from '../durations.ts'
import { CARD_MOVES, type CardEvent, type CardStatus, moveCard } from './states.ts'

/**
 * Why a card may not be used for now. Any number of them can stand at once; it is free when none does. `draw` stands for
 * good: its recipient left the card to the draw (product.md#left-to-the-draw). `refund` stands while a refund that an
 * operator asked for is under way; it is none of `operator`, which an operator sets and ends.
 */
export const HOLD_REASONS = ['dispute', 'operator', 'refund', 'withdrawal', 'draw'] as const

export type HoldReason = (typeof HOLD_REASONS)[number]

/**
 * A refund of which nothing was heard for so long is under way no more: the provider is asked again for less than a minute.
 * Its process died, or no answer came, and somebody has to look.
 */
const REFUND_HOLDS_MS = 10 * MINUTE_MS

/** Is a refund that holds a card under way, or a left-over? @param since when it began; both epoch ms UTC */
export const isRefundUnderWay = (since: number, now: number): boolean =>
  // A clock that was put back, or another server's, is no reason to wait for hours.
  Math.abs(now - since) < REFUND_HOLDS_MS

/**
 * The holds of what gives money back. Once all of a payment is back they hold nothing any more, whoever made the refund and
 * whether its answer came or not.
 */
export const HOLDS_OF_MONEY_BACK = ['refund', 'withdrawal'] as const satisfies readonly HoldReason[]

/** What each reason does to a card while it stands, and what its end does. */
export const HOLD_MOVES = {
  dispute: { begins: 'dispute-opened', ends: 'dispute-won' },
  operator: { begins: 'held', ends: 'released' },
  refund: { begins: 'held', ends: 'released' },
  withdrawal: { begins: 'withdrawn', ends: 'withdrawal-over' },
  draw: { begins: 'left-to-draw', ends: 'kept-from-draw' },
} as const satisfies Record<HoldReason, { readonly begins: CardEvent; readonly ends: CardEvent }>

/**
 * A withdrawal before what freezes: that freezes what is being cancelled, and it is not being cancelled again before that
 * ends. The draw before all: it gets nothing as long as something else stands.
 */
const IN_ORDER = [
  'draw',
  'withdrawal',
  'dispute',
  'refund',
  'operator',
] as const satisfies readonly HoldReason[]

/**
 * The state that its reasons to be held give a card: frozen while a dispute, the operator or a refund holds it, else being
 * cancelled while a withdrawal does, else left where it was left to the draw, else active. What is used, or was given back, stays so.
 */
export function heldStatus(status: CardStatus, reasons: readonly HoldReason[]): CardStatus {
  const freed = IN_ORDER.toReversed().reduce((now, reason) => moveCard(now, HOLD_MOVES[reason].ends), status)
  return IN_ORDER.filter(reason => reasons.includes(reason)).reduce(
    (now, reason) => moveCard(now, HOLD_MOVES[reason].begins),
    freed,
  )
}

/**
 * Can a hold matter to a card in this state, now or later? Not to what was given, which nothing leaves; to what was given
 * back it can, since a refund may come back.
 */
export const takesHold = (status: CardStatus): boolean =>
  Object.values(CARD_MOVES[status]).some(next => next !== 'refused' && next !== status)

/** Does a hold keep anybody from using a card in this state? What was given, or given back, stays so. */
export const canBeHeld = (status: CardStatus): boolean => heldStatus(status, ['operator']) === 'frozen'
