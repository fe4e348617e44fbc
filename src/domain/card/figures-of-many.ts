import { dayInMadrid } from '../days.ts'
import { type CardStatus, isOpenToUse } from './states.ts'

/**
 * The buyer of many cards sees what recipients chose from so many used cards on, and only in whole groups of so many:
 * between two looks no single card's choice can be told from the rest.
 */
export const FEWEST_TOLD = 5

/** How one card of an order was used. */
export interface UseOfCard {
  /** Its recipient's choice, their wish that chance decide, or the end of its term. */
  readonly cause: 'recipient' | 'draw' | 'auto-donation'
  /** Epoch ms UTC; of what was left to the draw, when that was. */
  readonly at: number
  /** What each organisation got, minor units of the order's currency. */
  readonly shares: readonly { readonly ngoId: string; readonly amount: number }[]
}

/** A card of an order, as its figures count it. */
export interface CountedCard {
  readonly status: CardStatus
  /** Missing while nobody has used it. */
  readonly use?: UseOfCard | undefined
}

/** What one organisation got of many cards, minor units. */
export interface Got {
  readonly ngoId: string
  readonly amount: number
}

/** What a buyer of many cards may know of them: numbers, and no card's choice. */
export interface FiguresOfMany {
  readonly cards: number
  /** Used by their recipients, those included that were left to the draw. */
  readonly used: number
  /** Can be used now. */
  readonly waiting: number
  /** Cannot be used for now. */
  readonly held: number
  /** Given back. */
  readonly back: number
  /** Given away at the end of their term. */
  readonly givenAway: number
  /** Each day on which cards were used, in Madrid, the first one first, and how many were left unused at its end. */
  readonly days: readonly { readonly day: string; readonly used: number; readonly left: number }[]
  /** What recipients gave to each organisation with the first `told` cards that they divided, the most first. */
  readonly organisations: readonly Got[]
  /** Of how many such cards that is: a multiple of `FEWEST_TOLD`, 0 while there are fewer. */
  readonly told: number
  /** What went where at the end of the term, which no recipient chose. */
  readonly drawn: readonly Got[]
}

/** The figures of the cards of one order (product.md#many-cards). */
export function figuresOfMany(cards: readonly CountedCard[]): FiguresOfMany {
  const uses = cards.flatMap(({ use }) => (use ? [use] : [])).toSorted((a, b) => a.at - b.at)
  const used = uses.filter(({ cause }) => cause !== 'auto-donation')
  const chosen = used.filter(({ cause }) => cause === 'recipient')
  const givenAway = uses.filter(({ cause }) => cause === 'auto-donation')
  const back = cards.filter(({ status }) => status === 'revoked').length
  const told = chosen.length - (chosen.length % FEWEST_TOLD)
  const waiting = cards.filter(({ status }) => status === 'active').length
  return {
    cards: cards.length,
    used: used.length,
    waiting,
    held: cards.filter(({ status }) => isOpenToUse(status)).length - waiting,
    back,
    givenAway: givenAway.length,
    days: daysOf(used, uses, cards.length - back),
    organisations: summed(chosen.slice(0, told)),
    told,
    drawn: summed(givenAway),
  }
}

function daysOf(
  used: readonly UseOfCard[],
  uses: readonly UseOfCard[],
  cards: number,
): FiguresOfMany['days'] {
  const days = [...new Set(used.map(({ at }) => dayInMadrid(at)))]
  return days.map(day => ({
    day,
    used: used.filter(({ at }) => dayInMadrid(at) === day).length,
    left: cards - uses.filter(({ at }) => dayInMadrid(at) <= day).length,
  }))
}

function summed(uses: readonly UseOfCard[]): readonly Got[] {
  const sums = new Map<string, number>()
  for (const { ngoId, amount } of uses.flatMap(({ shares }) => shares))
    sums.set(ngoId, (sums.get(ngoId) ?? 0) + amount)
  return [...sums]
    .map(([ngoId, amount]) => ({ ngoId, amount }))
    .toSorted((a, b) => b.amount - a.amount || (a.ngoId < b.ngoId ? -1 : 1))
}
