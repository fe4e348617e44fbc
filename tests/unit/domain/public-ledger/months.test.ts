import { describe, expect, it } from 'vitest'
import type { Leaf } from '#domain/public-ledger/leaf.ts'
import { type MonthOfLines, monthsOfLeaves, shownMonths } from '#domain/public-ledger/months.ts'

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

  it('have what the bank has paid without what was noted so by mistake', () => {
    const paid = (amount: number) =>
      aSale('2026-11-02', {
        cause: 'paid',
        amounts: [
          ['payouts', amount],
          ['payouts-open', -amount],
        ],
      })
    const month = (count: number, amount: number) => [
      { month: '2026-11', currency: 'EUR', rows: [{ cause: 'paid', count, amount }] },
    ]
    expect(monthsOf(paid(5_000), paid(-5_000), paid(700))).toEqual(month(1, 700))
    expect(monthsOf(paid(5_000), paid(-5_000), paid(5_000))).toEqual(month(1, 5_000))
    expect(monthsOf(paid(5_000), paid(-5_000))).toEqual(month(0, 0))
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

  it('have what organisations confirm, less what was taken back', () => {
    const said = (day: string, amount: number): Leaf =>
      aSale(day, { cause: 'received', amounts: [], received: [7, 'msf', '2026', amount, []] })
    expect(
      monthsOf(said('2026-11-20', 40_000), said('2026-11-21', 15_000), said('2026-11-30', -15_000)),
    ).toEqual([
      { month: '2026-11', currency: 'EUR', rows: [{ cause: 'received', count: 1, amount: 40_000 }] },
    ])
  })
})

describe('the months of a page', () => {
  const month = (name: string, amount: number, changes: Partial<MonthOfLines> = {}): MonthOfLines => ({
    month: name,
    currency: 'EUR',
    rows: [{ cause: 'sale', count: 1, amount }],
    ...changes,
  })

  it('are the last one, and all before as one sum in the order of the causes', () => {
    const refund = { cause: 'refund', count: 1, amount: 300 } as const
    const last = month('2026-12', 500)
    const third = month('2026-09', 700, { rows: [refund] })
    const dollars = month('2026-12', 900, { currency: 'USD' })
    const all = [dollars, last, third, month('2026-08', 1_100), month('2025-02', 1)]
    expect(shownMonths(all, 'EUR')).toEqual({
      last: [last],
      before: { month: '2026-12', rows: [{ cause: 'sale', count: 2, amount: 1_101 }, refund] },
    })
    expect(shownMonths(all, 'USD')).toEqual({ last: [dollars] })
  })

  it('lose nothing', () => {
    const all = Array.from({ length: 30 }, (_, n) => month(`20${30 - n}-01`, 2 ** n))
    const { last, before } = shownMonths(all, 'EUR')
    const rows = [...last.flatMap(each => each.rows), ...before!.rows]
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(2 ** 30 - 1)
  })
})
