import { describe, expect, it } from 'vitest'
import type { Leaf } from '#domain/public-ledger/leaf.ts'
import { monthsOfLeaves } from '#domain/public-ledger/months.ts'

const aSale = (day: string, changes: Partial<Leaf> = {}): Leaf => ({
  day,
  cause: 'sale',
  currency: 'EUR',
  amounts: [
    ['cards', 5_000],
    ['payments', -5_500],
    ['support', 500],
  ],
  proof: 'a'.repeat(40),
  ...changes,
})

function monthsOf(...leaves: readonly Leaf[]) {
  const fold = monthsOfLeaves()
  for (const leaf of leaves) fold.add(leaf)
  return fold.read()
}

describe('the months of the public ledger', () => {
  it('have the latest first, each currency apart, and every event of a sum', () => {
    const several = ['a'.repeat(64), 'b'.repeat(64)]
    expect(
      monthsOf(
        aSale('2026-11-30'),
        aSale('2026-12-01', { currency: 'GBP' }),
        aSale('2026-12-31', { proof: several }),
        aSale('2026-11-01'),
      ),
    ).toEqual([
      { month: '2026-12', currency: 'EUR', rows: [{ cause: 'sale', count: 2, amount: 5_500 }] },
      { month: '2026-12', currency: 'GBP', rows: [{ cause: 'sale', count: 1, amount: 5_500 }] },
      { month: '2026-11', currency: 'EUR', rows: [{ cause: 'sale', count: 2, amount: 11_000 }] },
    ])
  })

  it('have the causes in one order, whatever came first', () => {
    const refund = aSale('2026-11-02', {
      cause: 'refund',
      amounts: [
        ['cards', -5_000],
        ['refunds', 5_000],
      ],
    })
    const [month] = monthsOf(refund, aSale('2026-11-01'))
    expect(month!.rows).toEqual([
      { cause: 'sale', count: 1, amount: 5_500 },
      { cause: 'refund', count: 1, amount: 5_000 },
    ])
  })
})
