import type { Currency } from '../money/currency.ts'
import { type Cause, eventsOf, type Leaf, NGO_ACCOUNT } from './leaf.ts'

/** What the lines of the public ledger say of one currency; amounts in minor units (product.md#public-ledger). */
export interface CurrencyFigures {
  readonly currency: Currency
  /** Gifts that were bought, and what their buyers paid for them. */
  readonly sold: Counted
  /** Free cards, and what campaigns put on them. */
  readonly free: Counted
  /** Cards whose recipients chose, and what they gave. */
  readonly given: Counted
  /** Unused cards that were given away when their term ended. */
  readonly givenAway: Counted
  /** Credit on cards. A card stays in it until its use is shown, which is with others alone. */
  readonly onCards: number
  /** Given, and in no payout that is shown: by organisation, the largest first. */
  readonly waiting: readonly Waiting[]
  /** In payouts that the bank has not paid. */
  readonly inTransfer: number
  readonly paidOut: number
  /** In payouts: by year, the latest first, and within it by organisation, the largest first. */
  readonly payouts: readonly YearOfPayouts[]
  readonly support: number
  readonly tax: number
  /** The prices of volunteering packages. */
  readonly volunteering: number
  /** What the payment provider kept, and whose money it was. */
  readonly fees: { readonly fromSupport: number; readonly fromOperator: number }
  readonly refunded: number
  readonly lost: number
}

export interface Counted {
  readonly count: number
  readonly amount: number
}

export interface Waiting {
  readonly ngoId: string
  readonly amount: number
  /**
   * `YYYY-MM-DD`, UTC: the day of the oldest line of which something waits. A batch has the last day that it may have cards
   * of.
   */
  readonly since: string
}

export interface YearOfPayouts {
  /** `YYYY`, UTC. */
  readonly year: string
  readonly to: readonly PaidOrganisation[]
}

export interface PaidOrganisation {
  readonly ngoId: string
  readonly amount: number
  /** Of it, what the organisation says has arrived. */
  readonly confirmed: number
}

export interface FiguresFold {
  add(leaf: Leaf): void
  /** Of all that was added, a currency each, in the order of their names. */
  read(): readonly CurrencyFigures[]
}

/** Adds up lines of the public ledger, in any order. It keeps sums, and no line. */
export function figuresOfLeaves(): FiguresFold {
  const currencies = new Map<Currency, CurrencyFold>()
  return {
    add(leaf) {
      // What moves nothing is of no currency; what arrived is of its payout.
      if (leaf.amounts.length === 0 && leaf.received === undefined) return
      const fold = currencies.get(leaf.currency) ?? foldOfCurrency(leaf.currency)
      currencies.set(leaf.currency, fold)
      fold.add(leaf)
    },
    read: () =>
      [...currencies.keys()].sort().map(currency => (currencies.get(currency) as CurrencyFold).read()),
  }
}

interface CurrencyFold {
  add(leaf: Leaf): void
  read(): CurrencyFigures
}

/** Where the money is does not change what buyers paid. */
const MOVEMENTS: readonly Cause[] = ['fee', 'bank', 'transfer']

function foldOfCurrency(currency: Currency): CurrencyFold {
  const sums = new Map<string, number>()
  const counts = new Map<Cause, { count: number; amount: number }>()
  const fees = { fromSupport: 0, fromOperator: 0 }
  /** By organisation and day. */
  const given = new Map<string, Map<string, number>>()
  /** By year and organisation. */
  const payouts = new Map<string, Map<string, number>>()
  /** By year of the payout and organisation. */
  const confirmed = new Map<string, Map<string, number>>()

  const addMovement = ({ cause, amounts }: Leaf): void => {
    if (cause !== 'fee') return
    for (const [account, amount] of amounts) {
      if (account === 'fees') fees.fromSupport -= amount
      if (account === 'operator') fees.fromOperator -= amount
    }
  }

  const addToOrganisation = ({ cause, day }: Leaf, ngoId: string, amount: number): void => {
    if (cause === 'payout') add(within(payouts, day.slice(0, 4)), ngoId, -amount)
    else add(within(given, ngoId), day, amount)
  }

  return {
    add(leaf) {
      if (MOVEMENTS.includes(leaf.cause)) return addMovement(leaf)
      if (leaf.received !== undefined) {
        const [, ngoId, year, amount] = leaf.received
        return add(within(confirmed, year), ngoId, amount)
      }
      const counted = counts.get(leaf.cause) ?? { count: 0, amount: 0 }
      counts.set(leaf.cause, counted)
      counted.count += eventsOf(leaf)
      for (const [account, amount] of leaf.amounts) {
        if (amount < 0) counted.amount -= amount
        const organisation = account.startsWith(NGO_ACCOUNT)
        add(sums, organisation ? NGO_ACCOUNT : account, amount)
        if (organisation) addToOrganisation(leaf, account.slice(NGO_ACCOUNT.length), amount)
      }
    },
    read() {
      const of = (account: string): number => sums.get(account) ?? 0
      const counted = (cause: Cause): Counted => ({ count: 0, amount: 0, ...counts.get(cause) })
      return {
        currency,
        sold: counted('sale'),
        free: counted('claim'),
        given: counted('given'),
        givenAway: counted('auto'),
        onCards: of('cards'),
        waiting: waitingOf(given, payouts),
        inTransfer: of('payouts-open'),
        paidOut: of('payouts'),
        payouts: [...payouts]
          .sort(([one], [other]) => (one < other ? 1 : -1))
          .map(([year, amounts]) => ({
            year,
            to: largestFirst(amounts).map(each => ({
              ...each,
              confirmed: confirmed.get(year)?.get(each.ngoId) ?? 0,
            })),
          })),
        support: of('support'),
        tax: of('tax'),
        volunteering: of('volunteering'),
        fees: { ...fees },
        refunded: of('refunds'),
        lost: 0 - of('losses'),
      }
    },
  }
}

/** The oldest gifts of an organisation are paid out first, and never more than it was given. */
function waitingOf(
  given: ReadonlyMap<string, ReadonlyMap<string, number>>,
  payouts: ReadonlyMap<string, ReadonlyMap<string, number>>,
): readonly Waiting[] {
  const left = new Map<string, number>()
  const since = new Map<string, string>()
  for (const [ngoId, days] of given) {
    let paid = 0
    for (const year of payouts.values()) paid += year.get(ngoId) ?? 0
    for (const [day, amount] of [...days].sort(([one], [other]) => (one < other ? -1 : 1))) {
      paid -= amount
      if (paid < 0 && !since.has(ngoId)) since.set(ngoId, day)
    }
    if (paid !== 0) left.set(ngoId, -paid)
  }
  return largestFirst(left).map(each => ({ ...each, since: since.get(each.ngoId) ?? '' }))
}

const largestFirst = (amounts: ReadonlyMap<string, number>): readonly { ngoId: string; amount: number }[] =>
  [...amounts]
    .filter(([, amount]) => amount !== 0)
    .sort(([idOfOne, one], [idOfOther, other]) => other - one || (idOfOne < idOfOther ? -1 : 1))
    .map(([ngoId, amount]) => ({ ngoId, amount }))

function add(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount)
}

function within(maps: Map<string, Map<string, number>>, name: string): Map<string, number> {
  const inner = maps.get(name) ?? new Map<string, number>()
  maps.set(name, inner)
  return inner
}
