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
  /** Events, so every one that a sum of several stands for. */
  readonly count: number
  /** What moved from one account to others, minor units; what was turned round counts as much once more. */
  readonly amount: number
}

export interface MonthsFold {
  add(leaf: Leaf): void
  /** The latest month first, and within it by the name of the currency. */
  read(): readonly MonthOfLines[]
}

/** Adds up lines of the public ledger by month, in any order. It keeps sums, and no line. */
export function monthsOfLeaves(): MonthsFold {
  const months = new Map<string, Map<Cause, { count: number; amount: number }>>()
  return {
    add(leaf) {
      const { day, currency, cause, amounts } = leaf
      // What moves nothing is of no currency.
      if (amounts.length === 0) return
      const key = `${day.slice(0, 7)} ${currency}`
      const causes = months.get(key) ?? new Map<Cause, { count: number; amount: number }>()
      months.set(key, causes)
      const row = causes.get(cause) ?? { count: 0, amount: 0 }
      causes.set(cause, row)
      row.count += eventsOf(leaf)
      for (const [, amount] of amounts) if (amount > 0) row.amount += amount
      row.amount += Math.max(0, leaf.received?.[3] ?? 0)
    },
    read: () =>
      [...months]
        .map(([key, causes]) => {
          const [month = '', currency = ''] = key.split(' ')
          return {
            month,
            currency: currency as Currency,
            rows: CAUSES.flatMap(cause => {
              const row = causes.get(cause)
              return row === undefined ? [] : [{ cause, ...row }]
            }),
          }
        })
        .sort(
          (one, other) => other.month.localeCompare(one.month) || one.currency.localeCompare(other.currency),
        ),
  }
}
