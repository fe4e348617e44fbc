import { Problem } from '../problems.ts'

export const CARD_STATUSES = ['active', 'left', 'consumed', 'frozen', 'cancelling', 'revoked'] as const

export type CardStatus = (typeof CARD_STATUSES)[number]

export const CARD_EVENTS = [
  'redeemed',
  'auto-donated',
  'dispute-opened',
  'dispute-won',
  'dispute-lost',
  'dispute-lost-in-part',
  'refunded',
  'refund-failed',
  'held',
  'released',
  'withdrawn',
  'withdrawal-over',
  'left-to-draw',
  'kept-from-draw',
] as const

/**
 * What can happen to a card. `refunded` and `dispute-lost` mean the whole payment: a partial refund moves nothing,
 * and a lost dispute over a part only takes that part off the card. `held` and `released` are the operator's,
 * and those of a refund that they asked for;
 * `withdrawn` is a buyer's withdrawal whose money is to be refunded; `withdrawal-over` means that it no longer is.
 * `left-to-draw` is its recipient's, for good; `kept-from-draw` is there for `heldStatus` alone.
 */
export type CardEvent = (typeof CARD_EVENTS)[number]

/**
 * What each event makes of each state (product.md#states). The payment provider's events repeat and arrive in any
 * order, so an event that no longer fits leaves the card as it is. Nothing leaves `consumed`: what was given away
 * stays given. Only an active card can be given away, and by the draw one that was left to it; else that is `refused`.
 */
export const CARD_MOVES: Readonly<Record<CardStatus, Readonly<Record<CardEvent, CardStatus | 'refused'>>>> = {
  active: {
    redeemed: 'consumed',
    'auto-donated': 'consumed',
    'dispute-opened': 'frozen',
    'dispute-won': 'active',
    'dispute-lost': 'revoked',
    'dispute-lost-in-part': 'active',
    refunded: 'revoked',
    'refund-failed': 'active',
    held: 'frozen',
    released: 'active',
    withdrawn: 'cancelling',
    'withdrawal-over': 'active',
    'left-to-draw': 'left',
    'kept-from-draw': 'active',
  },
  left: {
    redeemed: 'refused',
    'auto-donated': 'consumed',
    'dispute-opened': 'frozen',
    'dispute-won': 'left',
    'dispute-lost': 'revoked',
    'dispute-lost-in-part': 'left',
    refunded: 'revoked',
    'refund-failed': 'left',
    held: 'frozen',
    released: 'left',
    withdrawn: 'cancelling',
    'withdrawal-over': 'left',
    'left-to-draw': 'left',
    'kept-from-draw': 'active',
  },
  consumed: {
    redeemed: 'refused',
    'auto-donated': 'refused',
    'dispute-opened': 'consumed',
    'dispute-won': 'consumed',
    'dispute-lost': 'consumed',
    'dispute-lost-in-part': 'consumed',
    refunded: 'consumed',
    'refund-failed': 'consumed',
    held: 'consumed',
    released: 'consumed',
    withdrawn: 'consumed',
    'withdrawal-over': 'consumed',
    'left-to-draw': 'consumed',
    'kept-from-draw': 'consumed',
  },
  frozen: {
    redeemed: 'refused',
    'auto-donated': 'refused',
    'dispute-opened': 'frozen',
    'dispute-won': 'active',
    'dispute-lost': 'revoked',
    'dispute-lost-in-part': 'active',
    refunded: 'revoked',
    'refund-failed': 'frozen',
    held: 'frozen',
    released: 'active',
    withdrawn: 'frozen',
    'withdrawal-over': 'frozen',
    'left-to-draw': 'frozen',
    'kept-from-draw': 'frozen',
  },
  cancelling: {
    redeemed: 'refused',
    'auto-donated': 'refused',
    'dispute-opened': 'frozen',
    'dispute-won': 'cancelling',
    'dispute-lost': 'revoked',
    'dispute-lost-in-part': 'cancelling',
    refunded: 'revoked',
    'refund-failed': 'cancelling',
    held: 'frozen',
    released: 'cancelling',
    withdrawn: 'cancelling',
    'withdrawal-over': 'active',
    'left-to-draw': 'cancelling',
    'kept-from-draw': 'cancelling',
  },
  revoked: {
    redeemed: 'refused',
    'auto-donated': 'refused',
    'dispute-opened': 'revoked',
    'dispute-won': 'revoked',
    'dispute-lost': 'revoked',
    'dispute-lost-in-part': 'revoked',
    refunded: 'revoked',
    'refund-failed': 'active',
    held: 'revoked',
    released: 'revoked',
    withdrawn: 'revoked',
    'withdrawal-over': 'revoked',
    'left-to-draw': 'revoked',
    'kept-from-draw': 'revoked',
  },
}

/**
 * The card's state after an event. Giving a card that is not active is refused: Problem `card-consumed` for
 * a used one, `card-not-found` for one that reads as missing.
 */
export function moveCard(status: CardStatus, event: CardEvent): CardStatus {
  const next = CARD_MOVES[status][event]
  if (next === 'refused') throw new Problem(isVisible(status) ? 'card-consumed' : 'card-not-found')
  return next
}

/** A card that is frozen, being cancelled or revoked reads as one that doesn't exist. */
export function isVisible(status: CardStatus): boolean {
  return status === 'active' || isGiven(status)
}

/** Is the card still worth its credit, usable now or not? */
export function isUnused(status: CardStatus): boolean {
  return status !== 'consumed' && status !== 'revoked'
}

/** Has somebody used it? What was left to the draw is given for good: only to whom is not known yet. */
export function isGiven(status: CardStatus): boolean {
  return status === 'consumed' || status === 'left'
}

/**
 * The state of a card for a withdrawal. What its recipient left to the draw is given, also while a dispute or the operator
 * holds it: a dispute does not give its buyer the right back.
 */
export function statusToWithdraw(status: CardStatus, isLeft: boolean): CardStatus {
  return isLeft && isOpenToUse(status) ? 'left' : status
}

/** Is the card its recipient's to use, now or once nothing holds it any more? */
export function isOpenToUse(status: CardStatus): boolean {
  return isUnused(status) && !isGiven(status)
}
