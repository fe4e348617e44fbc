import type { Currency } from '../money/currency.ts'
import { CAUSES, type Cause, eventsOf, type Leaf } from './leaf.ts'

/** The lines of one month in one currency. */
export interface MonthOfLines {
  /** `YYYY-MM`, UTC. */
  readonly month: string
  readonly currency: Currency
  /** In the order of the causes. */
  readonly rows: readonly MonthRow[]
}

export interface MonthRow {
  readonly cause: Cause
  /**
   * Events, so every one that a sum of several stands for. A confirmation, or a payment of the bank, that is taken back is one
   * less: what was noted twice counts once.
   */
  readonly count: number
  /**
   * What moved from one account to others, minor units; what was turned round counts as much once more. Of confirmations, and of
   * what the bank has paid, less what was taken back.
   */
  readonly amount: number
}

/** The months of one currency as a page shows them: the last ones, and all before them as one sum. */
export interface ShownMonths {
  /** The latest first. */
  readonly last: readonly MonthOfLines[]
  /** Absent where there is nothing before them. */
  readonly before?: {
    /** `YYYY-MM`, UTC: the month that it is before. */
    readonly month: string
    readonly rows: readonly MonthRow[]
  }
}

export interface MonthsFold {
  add(leaf: Leaf): void
  /** The latest month first, and within it by the name of the currency. */
  read(): readonly MonthOfLines[]
}

type Sums = Map<Cause, { count: number; amount: number }>

const rowsOf = (sums: Sums): readonly MonthRow[] =>
  CAUSES.flatMap(cause => {
    const row = sums.get(cause)
    return row === undefined ? [] : [{ cause, ...row }]
  })

/** So many months stand each by itself on a page, which stays small as years go by. */
const MOST_SHOWN = 1

/** What a page shows of the months of one currency. @param months the latest first */
export function shownMonths(months: readonly MonthOfLines[], currency: Currency): ShownMonths {
  const own = months.filter(each => each.currency === currency)
  const [last, earlier] = [own.slice(0, MOST_SHOWN), own.slice(MOST_SHOWN)]
  if (earlier.length === 0) return { last }
  const sums: Sums = new Map()
  for (const { cause, count, amount } of earlier.flatMap(({ rows }) => rows)) {
    const sum = sums.get(cause) ?? { count: 0, amount: 0 }
    sums.set(cause, { count: sum.count + count, amount: sum.amount + amount })
  }
  return { last, before: { month: last.at(-1)!.month, rows: rowsOf(sums) } }
}

/**
 * Is it that the bank has not paid after all? A payout that was paid, not paid and paid again before its line was shown is one
 * line of three events, and counts as three: what it was is not to be told.
 */
const isPaidBack = ({ cause, amounts }: Pick<Leaf, 'cause' | 'amounts'>): boolean =>
  cause === 'paid' && amounts.some(([account, amount]) => account === 'payouts' && amount < 0)

/** Adds up lines of the public ledger by month, in any order. It keeps sums, and no line. */
export function monthsOfLeaves(): MonthsFold {
  const months = new Map<string, Sums>()
  return {
    add(leaf) {
      const { day, currency, cause, amounts, received } = leaf
      // What moves nothing is of no currency; what arrived is of its payout.
      if (amounts.length === 0 && received === undefined) return
      const key = `${day.slice(0, 7)} ${currency}`
      const causes = months.get(key) ?? (new Map() as Sums)
      months.set(key, causes)
      const row = causes.get(cause) ?? { count: 0, amount: 0 }
      causes.set(cause, row)
      const [, , , confirmed = 0] = received ?? []
      row.count += confirmed < 0 || isPaidBack(leaf) ? -1 : eventsOf(leaf)
      row.amount += confirmed
      for (const [account, amount] of amounts)
        if (cause === 'paid' ? account === 'payouts' : amount > 0) row.amount += amount
    },
    read: () =>
      [...months]
        .map(([key, causes]) => {
          const [month = '', currency = ''] = key.split(' ')
          return {
            month,
            currency: currency as Currency,
            rows: rowsOf(causes),
          }
        })
        .sort(
          (one, other) => other.month.localeCompare(one.month) || one.currency.localeCompare(other.currency),
        ),
  }
}
