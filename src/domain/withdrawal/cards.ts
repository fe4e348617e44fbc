import { readNamedCards } from '../card/batch.ts'
import type { CardStatus } from '../card/states.ts'
import { isRefundAsked, type WithdrawalState } from './withdrawal.ts'

/** A withdrawal that there is from an order of many cards. */
export interface EarlierWithdrawal {
  readonly state: WithdrawalState
  /** The places of its cards; undefined where it is from all of them. */
  readonly cards: readonly number[] | undefined
  /** Epoch ms UTC. */
  readonly statedAt: number
}

/** A card of an order that can be withdrawn from: its place, and since when its buyer has been doing that. */
export interface CardToWithdraw {
  readonly position: number
  /** Epoch ms UTC. */
  readonly statedAt: number
}

/**
 * The places of the cards that a withdrawal is from. @param cards their numbers as they are kept, `3, 5-8`; null of all
 * @returns undefined of all; none where the text cannot be read, so that nobody's money goes back by it
 */
export function placesNamed(cards: string | null): readonly number[] | undefined {
  return cards === null ? undefined : (readNamedCards(cards, Number.POSITIVE_INFINITY) ?? [])
}

/** Is a withdrawal about this card? */
export function isAbout({ cards }: Pick<EarlierWithdrawal, 'cards'>, position: number): boolean {
  return cards?.includes(position) ?? true
}

/** The cards of an order, by their places, whose money no withdrawal has asked for or is to ask for. */
export function cardsNotAskedFor(
  cards: readonly { readonly status: CardStatus }[],
  earlier: readonly EarlierWithdrawal[],
): readonly number[] {
  return [...cards.keys()].filter(
    position =>
      cards[position]!.status !== 'revoked' &&
      !earlier.some(each => isRefundAsked(each.state) && isAbout(each, position)),
  )
}

/**
 * The cards of an order that its buyer can withdraw from now (product.md#withdrawal): whose money has not gone back, that
 * no other withdrawal has, and that are in time. A card whose refund failed is in time if it was the first time. Of one that
 * was used the support goes back.
 * @param cards by their places
 * @param statedAt when the buyer states it, epoch ms UTC
 * @param endsAt the first instant after the last day
 */
export function cardsToWithdraw(
  cards: readonly { readonly status: CardStatus }[],
  earlier: readonly EarlierWithdrawal[],
  { statedAt, endsAt }: { readonly statedAt: number; readonly endsAt: number },
): readonly CardToWithdraw[] {
  return cardsNotAskedFor(cards, earlier)
    .map(position => {
      const before = earlier.filter(each => isAbout(each, position)).map(each => each.statedAt)
      return { position, statedAt: Math.min(statedAt, ...before) }
    })
    .filter(card => card.statedAt < endsAt)
}
