import { type CardStatus, isGiven } from '../card/states.ts'
import { type ChargeFacts, givenBack, type SaleAmounts, supportLeft, totalOf } from './reversal.ts'

/** Money that went back to the buyer of an order. */
export interface PartBack {
  /** Minor units. */
  readonly amount: number
  /** The places of the cards that it is for; undefined where it names none. */
  readonly cards?: readonly number[] | undefined
}

/** What the provider says of the charge of an order of many cards, in parts. */
export interface OrderBack {
  readonly refunds: readonly PartBack[]
  /** Refunds that withdrawals asked for: of what was not used all, of what was used the support. */
  readonly withdrawn: readonly PartBack[]
  readonly losses: readonly PartBack[]
  readonly openDisputes: readonly Pick<PartBack, 'cards'>[]
}

interface Share {
  refunded: number
  lostToDisputes: number
}

/**
 * What the provider says of each card of an order, so that all of it is of some card, once. What names cards is theirs, as
 * much of each; the rest is of all of them alike. No card gets more than it cost, before every card has got that.
 * @param unit what one card cost
 * @param cards by their places, as a withdrawal takes them (`statusToWithdraw`)
 */
export function factsOfCards(
  unit: SaleAmounts,
  cards: readonly { readonly status: CardStatus }[],
  back: OrderBack,
): readonly ChargeFacts[] {
  const shares = cards.map((): Share => ({ refunded: 0, lostToDisputes: 0 }))
  const all = cards.map((_, position) => position)
  const room = (position: number) => totalOf(unit) - givenBack(shares[position]!, unit)
  const give = (
    kind: keyof Share,
    amount: number,
    to: readonly number[],
    most: (position: number) => number = room,
  ): number => {
    let left = amount
    // The one with the least room first: what it cannot take is shared by those behind it. It takes the odd cent, so that a card has all
    // that it cost once what was left of it is given back.
    const open = to.toSorted((a, b) => most(a) - most(b) || a - b)
    for (const [n, position] of open.entries()) {
      const given = Math.min(most(position), Math.ceil(left / (open.length - n)))
      shares[position]![kind] += given
      left -= given
    }
    return left
  }
  const kinds = [
    ['lostToDisputes', back.losses],
    ['refunded', back.refunds],
  ] as const
  const unnamed = { refunded: 0, lostToDisputes: 0 }
  for (const [kind, parts] of kinds)
    for (const { amount, cards: named } of parts) unnamed[kind] += named ? give(kind, amount, named) : amount
  let beyond = 0
  for (const [kind] of kinds) {
    const rest = give(kind, unnamed[kind], all)
    if (kind === 'refunded') beyond += rest
    else shares[0]!.lostToDisputes += rest
  }
  // Behind the others: a withdrawal asks for what they have left.
  let rest = 0
  for (const { amount, cards: named } of back.withdrawn) {
    const before = shares.map(({ refunded }) => refunded)
    /** Of a used card no more than the support that is left, or than a withdrawal can have given of it in all. */
    const upTo = (support: (position: number) => number) => (position: number) =>
      isGiven(cards[position]!.status) ? Math.min(room(position), support(position)) : room(position)
    const left = upTo(position => supportLeft(shares[position]!, unit))
    const over = give('refunded', amount, named ?? all, left)
    // What was given back of a used card by hand afterwards looks like its support, which the withdrawal had given back before.
    const inAll = upTo(position => unit.net + unit.tax - (shares[position]!.refunded - before[position]!))
    rest += named ? give('refunded', over, named, inAll) : over
  }
  beyond += give('refunded', rest, all)
  shares[0]!.refunded += beyond
  return shares.map((share, position) => ({
    ...share,
    isDisputed: back.openDisputes.some(({ cards: named }) => named?.includes(position) ?? true),
  }))
}

/**
 * Has money gone back, less than all, that does not say of which cards? Then nobody knows which of them the buyer means to
 * keep.
 */
export function isUnclear(
  unit: SaleAmounts,
  count: number,
  { refunds, losses, withdrawn }: OrderBack,
): boolean {
  const parts = [...refunds, ...losses]
  const sum = [...parts, ...withdrawn].reduce((total, { amount }) => total + amount, 0)
  return count > 1 && sum < count * totalOf(unit) && parts.some(({ amount, cards }) => amount > 0 && !cards)
}

/**
 * What is left to give back of a card whose order was withdrawn from, minor units. Of an order of many the cards that were
 * used stay given, and their support goes back.
 */
export function leftOfCard(
  answer: 'whole' | 'support',
  { status, isOneOfMany }: { readonly status: CardStatus; readonly isOneOfMany: boolean },
  facts: Pick<ChargeFacts, 'refunded' | 'lostToDisputes'>,
  unit: SaleAmounts,
): number {
  return isSupportAlone(answer, { status, isOneOfMany })
    ? supportLeft(facts, unit)
    : totalOf(unit) - givenBack(facts, unit)
}

/** Does a withdrawal that is answered so give back the support of this card alone? */
export function isSupportAlone(
  answer: string | undefined,
  { status, isOneOfMany }: { readonly status: CardStatus; readonly isOneOfMany: boolean },
): boolean {
  return answer === 'support' || (answer === 'whole' && isOneOfMany && isGiven(status))
}
