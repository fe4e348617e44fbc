import { type CardEvent, type CardStatus, moveCard } from './states.ts'

/**
 * Why a card may not be used for now. Any number of them can stand at once; it is free when none does. `draw` stands for
 * good: its recipient left the card to the draw (product.md#left-to-the-draw).
 */
export const HOLD_REASONS = ['dispute', 'operator', 'withdrawal', 'draw'] as const

export type HoldReason = (typeof HOLD_REASONS)[number]

/** What each reason does to a card while it stands, and what its end does. */
export const HOLD_MOVES = {
  dispute: { begins: 'dispute-opened', ends: 'dispute-won' },
  operator: { begins: 'held', ends: 'released' },
  withdrawal: { begins: 'withdrawn', ends: 'withdrawal-over' },
  draw: { begins: 'left-to-draw', ends: 'kept-from-draw' },
} as const satisfies Record<HoldReason, { readonly begins: CardEvent; readonly ends: CardEvent }>

/**
 * A withdrawal before what freezes: that freezes what is being cancelled, and it is not being cancelled again before that
 * ends. The draw before all: it gets nothing as long as something else stands.
 */
const IN_ORDER = ['draw', 'withdrawal', 'dispute', 'operator'] as const satisfies readonly HoldReason[]

/**
 * The state that its reasons to be held give a card: frozen while a dispute or the operator holds it, else being
 * cancelled while a withdrawal does, else left where it was left to the draw, else active. What is used, or was given back, stays so.
 */
export function heldStatus(status: CardStatus, reasons: readonly HoldReason[]): CardStatus {
  const freed = IN_ORDER.toReversed().reduce((now, reason) => moveCard(now, HOLD_MOVES[reason].ends), status)
  return IN_ORDER.filter(reason => reasons.includes(reason)).reduce(
    (now, reason) => moveCard(now, HOLD_MOVES[reason].begins),
    freed,
  )
}
