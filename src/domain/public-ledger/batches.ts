import { dayBefore } from '../days.ts'
import type { Currency } from '../money/currency.ts'
import { type Amounts, type Cause, NGO_ACCOUNT, summed } from './leaf.ts'

/** A batch of cards closes on any day from so many on; one of an ended month from fewer. */
export const DAY_BATCH = 20
export const FEWEST_CARDS = 5
/** An amount that occurs so often on a day says nothing of one buyer, and stands in leaves of its own. */
const OFTEN = 5
/** Whoever checks one line reads all its commitments: with more, that would take more than 15 kB (decision 109). */
export const MOST_IN_LEAF = 80

/** Something in the books that stands in no leaf yet. */
export interface Waiting {
  readonly id: string
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly cause: Cause
  readonly currency: Currency
  readonly amounts: Amounts
}

/** A leaf that is to be made of what waits. More than one entry are summed. */
export interface Planned<Entry extends Waiting = Waiting> extends Omit<Waiting, 'id'> {
  /** With the use of cards in it, a leaf is written as a sum, however few they are. */
  readonly entries: readonly Entry[]
}

/** Do so many shares hide each of them: enough of them, and none more than half of all? */
export function hides(shares: readonly number[], fewest: number): boolean {
  const all = shares.reduce((sum, share) => sum + share, 0)
  return shares.length >= fewest && shares.every(share => share * 2 <= all)
}

/** What was on a card, by the entry of its use: minor units. */
export const creditOf = ({ amounts }: Pick<Waiting, 'amounts'>): number =>
  -(amounts.find(([account]) => account === 'cards')?.[1] ?? 0)

/**
 * The batches of used cards that can be shown now. On every day all that waits, from 20 cards on; else what the months
 * before left, from five on. A card worth more than half of its batch waits for a larger one, and one
 * of an uneven amount for others, where its remainder would name an organisation.
 * @param waiting uses of cards before today
 * @param today `YYYY-MM-DD`, UTC
 */
export function closeBatches<Entry extends Waiting>(
  waiting: readonly Entry[],
  today: string,
): readonly Planned<Entry>[] {
  const yesterday = dayBefore(today)
  const monthsEnd = dayBefore(`${today.slice(0, 7)}-01`)
  return [...Map.groupBy(waiting, ({ currency }) => currency).values()].flatMap(cards => {
    const ofDay = inBatches(cards, DAY_BATCH, yesterday)
    if (ofDay.length > 0) return ofDay
    return inBatches(
      cards.filter(({ day }) => day <= monthsEnd),
      FEWEST_CARDS,
      monthsEnd,
    )
  })
}

function inBatches<Entry extends Waiting>(
  cards: readonly Entry[],
  fewest: number,
  day: string,
): readonly Planned<Entry>[] {
  const batches: Planned<Entry>[] = []
  for (const some of partsOf(cards)) {
    const hidden = withoutSingular(some)
    if (hides(hidden.map(creditOf), fewest)) batches.push(leafOf(day, hidden))
  }
  return batches
}

/** Most gifts are so many cents, or a multiple of it. */
const ROUND = 500

const isRound = (card: Pick<Waiting, 'amounts'>): boolean => creditOf(card) % ROUND === 0

/**
 * Parts that a line can hold, as even as they can be, so that none is too small. Cards of an uneven amount are in as many of
 * them as get five, since fewer would wait there.
 */
function partsOf<Entry extends Waiting>(cards: readonly Entry[]): readonly (readonly Entry[])[] {
  const parts = Array.from({ length: Math.ceil(cards.length / MOST_IN_LEAF) }, (): Entry[] => [])
  const uneven = cards.filter(card => !isRound(card))
  const hiding = Math.max(1, Math.min(parts.length, Math.floor(uneven.length / FEWEST_CARDS)))
  for (const [n, card] of uneven.entries()) parts[n % hiding]!.push(card)
  const round = cards.filter(isRound)
  let next = 0
  for (let size = 1; next < round.length; size++)
    for (const part of parts) if (part.length < size && next < round.length) part.push(round[next++]!)
  return parts
}
/** Where so many organisations have a remainder, one of them names none. */
const FEWEST_REMAINDERS = 3

/**
 * Without the cards that remainders could tell apart: one of 37 among others of 50 that nobody divided would leave 7 with
 * the organisation that it went to, and whoever gave it knows its amount.
 */
function withoutSingular<Entry extends Waiting>(cards: readonly Entry[]): readonly Entry[] {
  const hidden = withoutGiants(cards)
  const round = hidden.filter(isRound)
  const uneven = hidden.length - round.length
  if (uneven === 0 || uneven >= FEWEST_CARDS) return hidden
  const remainders = summed(...hidden.map(({ amounts }) => amounts)).filter(
    ([account, amount]) => account.startsWith(NGO_ACCOUNT) && amount % ROUND !== 0,
  )
  return remainders.length >= FEWEST_REMAINDERS ? hidden : withoutGiants(round)
}

function withoutGiants<Entry extends Waiting>(cards: readonly Entry[]): readonly Entry[] {
  const rest = cards.toSorted((one, other) => creditOf(one) - creditOf(other))
  let all = rest.reduce((sum, card) => sum + creditOf(card), 0)
  for (let last = rest.at(-1); last !== undefined && creditOf(last) * 2 > all; last = rest.at(-1)) {
    all -= creditOf(last)
    rest.pop()
  }
  return rest
}

/**
 * The leaves of what is of buyers: an amount that occurs five times on a day has leaves of its own; the others are one sum
 * for each day, cause and currency.
 */
export function byTheDay<Entry extends Waiting>(waiting: readonly Entry[]): readonly Planned<Entry>[] {
  const groups = Map.groupBy(waiting, ({ day, cause, currency }) => `${day} ${cause} ${currency}`)
  return [...groups.values()].flatMap(entries => {
    const alike = [...Map.groupBy(entries, ({ amounts }) => JSON.stringify(amounts)).values()]
    const { day } = entries[0]!
    const often = alike.filter(({ length }) => length >= OFTEN).flat()
    const rare = alike.filter(({ length }) => length < OFTEN).flat()
    const sums = evenly(rare).map(some => leafOf(day, some))
    return [...often.map(entry => leafOf(day, [entry])), ...sums]
  })
}

/** As few parts as lines can hold, each as long as the others or by one shorter: a last one of few would show its buyers. */
const evenly = <Item>(items: readonly Item[]): readonly (readonly Item[])[] => {
  const count = Math.ceil(items.length / MOST_IN_LEAF)
  return Array.from({ length: count }, (_, part) => items.filter((_each, n) => n % count === part))
}

/** @param entries of one cause and currency, at least one */
export function leafOf<Entry extends Waiting>(day: string, entries: readonly Entry[]): Planned<Entry> {
  const { cause, currency } = entries[0]!
  return { day, cause, currency, amounts: summed(...entries.map(({ amounts }) => amounts)), entries }
}

/** The use of a card by its recipient, as far as it decides what may be shown of payouts. */
export interface GivenCard {
  /** Epoch ms UTC. */
  readonly at: number
  readonly credit: number
  /** Does it stand in a leaf? */
  readonly isShown: boolean
}

/**
 * May a payout to an organisation be shown? The sums of the batches less the payouts tell what is still owed. So the cards
 * that this payout cuts off from the earlier ones are all in leaves, and they hide each other; and so do the cards in
 * leaves that were used after it.
 * @param from what the payouts shown before cover goes until here, epoch ms UTC
 * @param until what this one covers goes until here
 */
export function mayShowPayout(
  cards: readonly GivenCard[],
  { from, until }: { readonly from: number; readonly until: number },
): boolean {
  const covered = cards.filter(({ at }) => at > from && at <= until)
  const later = cards.filter(({ at, isShown }) => at > until && isShown)
  return covered.every(({ isShown }) => isShown) && [covered, later].every(hidesOrEmpty)
}

const hidesOrEmpty = (cards: readonly GivenCard[]): boolean =>
  cards.length === 0 ||
  hides(
    cards.map(({ credit }) => credit),
    FEWEST_CARDS,
  )

/** A payout that stands in no leaf yet. */
export interface WaitingPayout {
  /** Has the bank paid it, or was it taken back? */
  readonly isOver: boolean
  /** When the last card that it pays out was used, epoch ms UTC; null where it pays out none, being taken back. */
  readonly until: number | null
}

/**
 * Those payouts to an organisation, in one currency, that can be shown now: each group as one sum. A payout that may not be
 * shown alone waits for the next one and is summed with it.
 * @param payouts oldest first
 * @param from what the payouts shown before cover goes until here, epoch ms UTC
 */
export function payoutGroups<Payout extends WaitingPayout>(
  payouts: readonly Payout[],
  cards: readonly GivenCard[],
  from: number,
): readonly (readonly Payout[])[] {
  const groups: Payout[][] = []
  let group: Payout[] = []
  let shownUntil = from
  for (const payout of payouts) {
    if (!payout.isOver) break
    group.push(payout)
    const until = Math.max(shownUntil, ...group.map(each => each.until ?? 0))
    if (until > shownUntil && !mayShowPayout(cards, { from: shownUntil, until })) continue
    groups.push(group)
    group = []
    shownUntil = until
  }
  return groups
}
