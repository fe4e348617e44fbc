import type { CardStatus } from '../card/states.ts'
import type { OrderStanding } from '../payment/order-states.ts'

/** How many days after a purchase it can be withdrawn from (product.md#withdrawal): a setting within these bounds. */
export const WITHDRAWAL_DAYS = { least: 14, most: 30, usual: 14 } as const

/** How long a statement that nobody has confirmed by its link is kept, in days: until then it counts from its time. */
export const STATEMENT_KEPT_DAYS = 90

/**
 * What a withdrawal is answered with:
 * - `whole`: everything that was paid goes back.
 * - `support`: the gift has been given; what was added for the product goes back.
 * - `used`: the gift has been given, and nothing was added.
 * - `too-late`: its days are over.
 * - `given-back`: everything went back before.
 * - `unpaid`: nothing was paid.
 */
export const WITHDRAWAL_ANSWERS = ['whole', 'support', 'used', 'too-late', 'given-back', 'unpaid'] as const

export type WithdrawalAnswer = (typeof WITHDRAWAL_ANSWERS)[number]

/** The answers by which money goes back. */
export type RefundedShare = Extract<WithdrawalAnswer, 'whole' | 'support'>

/** Does money go back by this answer? */
export function isRefunded(answer: WithdrawalAnswer): answer is RefundedShare {
  return answer === 'whole' || answer === 'support'
}

/** The answer to a withdrawal in time, by the state of the card: `support` where support was paid. */
export const ANSWER_BY_CARD = {
  active: 'whole',
  frozen: 'whole',
  cancelling: 'whole',
  left: 'support',
  consumed: 'support',
  revoked: 'given-back',
} as const satisfies Record<CardStatus, WithdrawalAnswer>

/** The same by the state of an order that has no card yet. Money on its way has to arrive before it can go back. */
export const ANSWER_BY_ORDER = {
  awaited: 'whole',
  over: 'unpaid',
} as const satisfies Record<Exclude<OrderStanding, 'sold'>, WithdrawalAnswer>

/** What is known of a purchase when its buyer withdraws. */
export interface WithdrawnPurchase {
  readonly order: OrderStanding
  /** Missing before the payment has arrived. */
  readonly card: CardStatus | undefined
  /** Whether the book of an invitation was downloaded. */
  readonly isBookTaken: boolean
  /** The support that was paid, minor units. */
  readonly support: number
  /** The part of the support that has not gone back (`supportLeft`). */
  readonly supportLeft: number
  /** When the withdrawal was stated, epoch ms UTC. */
  readonly statedAt: number
  /** The first instant after the last day. */
  readonly endsAt: number
}

/** What a buyer who withdraws is answered with. */
export function withdrawalAnswer(purchase: WithdrawnPurchase): WithdrawalAnswer {
  const { order, card, isBookTaken, support, supportLeft, statedAt, endsAt } = purchase
  if (order !== 'sold') return ANSWER_BY_ORDER[order]
  // A sold order has a card; one that is missing is a fault that nothing may be paid for.
  const answer = card === undefined ? 'given-back' : ANSWER_BY_CARD[card]
  if (answer === 'given-back') return answer
  if (statedAt >= endsAt) return 'too-late'
  if (answer === 'whole' && !isBookTaken) return 'whole'
  if (support === 0) return 'used'
  return supportLeft > 0 ? 'support' : 'given-back'
}

/**
 * How far a withdrawal is:
 * - `waiting`: recorded; a payment on its way, or a dispute, has to end first.
 * - `refunding`: the refund is to be asked for.
 * - `refunded`: the provider has taken it on.
 * - `failed`: the money came back to us. The buyer can press again.
 * - `closed`: there is nothing to give back.
 */
export const WITHDRAWAL_STATES = ['waiting', 'refunding', 'refunded', 'failed', 'closed'] as const

export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** Work is left to do in these states. */
export const UNFINISHED_WITHDRAWALS = ['waiting', 'refunding'] as const satisfies readonly WithdrawalState[]

/** Is work left to do in this state? */
export function isUnfinished(state: WithdrawalState): boolean {
  return (UNFINISHED_WITHDRAWALS as readonly WithdrawalState[]).includes(state)
}

/** Has its refund been asked for, or is it to be, so that no other withdrawal asks for the same money? */
export function isRefundAsked(state: WithdrawalState): boolean {
  return isUnfinished(state) || state === 'refunded'
}

/** What the payment provider says about the payment of a withdrawal now. */
export interface WithdrawalNews {
  /** All that was withdrawn from is back at the buyer: the payment, or its support. */
  readonly isBack: boolean
  readonly isDisputed: boolean
  /** The state of the newest refund. */
  readonly refund: 'none' | 'made' | 'failed'
}

/** The state of a new withdrawal. @param mustWait the payment is on its way, or disputed */
export function firstWithdrawalState(answer: WithdrawalAnswer, mustWait: boolean): WithdrawalState {
  if (!isRefunded(answer)) return 'closed'
  return mustWait ? 'waiting' : 'refunding'
}

/**
 * The state of a withdrawal after a look at the provider. News repeat and arrive in any order, so it follows from what
 * is true now. A failed one waits for its buyer, or the operator, and a closed one stays so.
 */
export function withdrawalAfter(state: WithdrawalState, news: WithdrawalNews): WithdrawalState {
  if (state === 'closed') return state
  // The operator has found another way.
  if (state === 'failed') return news.isBack ? 'closed' : state
  if (news.refund === 'failed') return news.isBack ? 'closed' : 'failed'
  if (news.isBack) return news.refund === 'made' || state === 'refunded' ? 'refunded' : 'closed'
  // An earlier look than the one that saw the refund. With the refund made, another part has come back to us since.
  if (state === 'refunded' && news.refund === 'none') return state
  return news.isDisputed ? 'waiting' : 'refunding'
}

/** Is its buyer told that it has moved so? What waited has gone on, or the refund has come back. */
export function isTold(before: WithdrawalState, after: WithdrawalState): boolean {
  return before !== after && (before === 'waiting' || after === 'failed')
}

/**
 * Does a withdrawal keep its card from being used? What goes back whole does, also once it is back: looks at the
 * provider overtake each other, and one from before the refund must not give the card free.
 */
export function holdsCard(state: WithdrawalState, answer: WithdrawalAnswer): boolean {
  return answer === 'whole' && isRefundAsked(state)
}

/**
 * Is the support that a buyer withdrew from back with them?
 * @param answer missing without a withdrawal
 * @param left of the support, minor units (`supportLeft`)
 */
export function isSupportBack(answer: WithdrawalAnswer | undefined, left: number): boolean {
  return answer === 'support' && left === 0
}
