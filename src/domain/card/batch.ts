import { type Money, money } from '../money/money.ts'
import { type CardStatus, isGiven, isOpenToUse, isUnused } from './states.ts'

/**
 * The equal part that each card has of an amount of its order.
 * @throws Error where the amount has no such parts: the order is none of ours
 */
export function partOfCard({ amount, currency }: Money, cards: number): Money {
  if (amount % cards !== 0) throw new Error(`An amount does not divide into ${cards} equal parts`)
  return money(amount / cards, currency)
}

/** The number of a card as people read it, on its sheet and at the payment provider: from 1 on. */
export const numberOfCard = (position: number): number => position + 1

/** The place of the card with this number, from 0 on. */
export const placeOfCard = (number: number): number => number - 1

/**
 * The cards that a refund or a dispute names, as `3, 5-8`: their places, from 0 on, each once. Undefined where nothing is
 * named, or anything is that the order does not have: then nobody can tell which cards are meant.
 */
export function readNamedCards(text: string | undefined, cards: number): readonly number[] | undefined {
  const named = new Set<number>()
  for (const part of (text ?? '').split(',')) {
    const [, first, last = first] = /^\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?\s*$/.exec(part) ?? []
    const [from, to] = [Number(first) - 1, Number(last) - 1]
    if (!(from >= 0 && from <= to && to < cards)) return undefined
    for (let position = from; position <= to; position++) named.add(position)
  }
  return [...named].toSorted((a, b) => a - b)
}

/** The other way round, for a refund that says which cards it is for: `3, 5-8`. @param positions places, from 0 on */
export function writeNamedCards(positions: readonly number[]): string {
  const runs: [first: number, last: number][] = []
  for (const number of positions.map(numberOfCard).toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run !== undefined && number <= run[1] + 1) run[1] = number
    else runs.push([number, number])
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ')
}

/**
 * The one state that a purchase is judged by: of what can still be used, if there is any; else of what is left to the
 * draw, then of what was used; else its cards are revoked. Undefined before there is a card.
 */
export function statusOfPurchase(cards: readonly { readonly status: CardStatus }[]): CardStatus | undefined {
  const states = cards.map(({ status }) => status)
  return states.find(isOpenToUse) ?? states.find(isUnused) ?? states.find(isGiven) ?? states[0]
}
