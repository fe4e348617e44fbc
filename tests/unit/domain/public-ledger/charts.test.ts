import { describe, expect, it } from 'vitest'
import { barsOf, chartedMonths, daysWaited, outlineOf } from '#domain/public-ledger/charts.ts'
import type { MonthOfLines } from '#domain/public-ledger/months.ts'

const row = (cause: MonthOfLines['rows'][number]['cause'], amount: number) => ({ cause, amount, count: 1 })

describe('the charts of the public figures', () => {
  it('have the months of one currency, the oldest first, without a gap', () => {
    const months: readonly MonthOfLines[] = [
      { month: '2026-02', currency: 'EUR', rows: [row('paid', 700), row('fee', 9)] },
      { month: '2026-01', currency: 'GBP', rows: [row('sale', 1)] },
      {
        month: '2025-12',
        currency: 'EUR',
        rows: [row('sale', 500), row('claim', 100), row('given', 300), row('auto', 40)],
      },
    ]
    expect(chartedMonths(months, 'EUR')).toEqual([
      { month: '2025-12', bought: 600, given: 340, paid: 0 },
      { month: '2026-01', bought: 0, given: 0, paid: 0 },
      { month: '2026-02', bought: 0, given: 0, paid: 700 },
    ])
    expect(chartedMonths([], 'EUR')).toEqual([])
  })

  it('have a year at most', () => {
    const months = Array.from({ length: 20 }, (_, n): MonthOfLines => {
      const month = new Date(Date.UTC(2025, n, 1)).toISOString().slice(0, 7)
      return { month, currency: 'EUR', rows: [row('sale', 1)] }
    })
    const charted = chartedMonths(months, 'EUR')
    expect(charted.map(({ month }) => month)).toEqual(months.slice(-12).map(({ month }) => month))
  })

  it('draw what is there within the picture, the highest as high as it is, and nothing of nothing', () => {
    const bars = barsOf([
      { month: '2026-01', bought: 1_000_000, given: 1, paid: 0 },
      { month: '2026-02', bought: 500_000, given: 0, paid: 250_000 },
    ])
    expect(bars.map(({ series, height }) => [series, height])).toEqual([
      ['bought', 300],
      // A cent is seen too.
      ['given', 2],
      ['bought', 150],
      ['paid', 75],
    ])
    for (const { x, y, width, height } of bars) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(1000)
      expect(y + height).toBe(300)
    }
    const [bought, , again, paid] = bars
    expect(outlineOf(bars, 'bought')).toBe(
      `M${bought!.x} 300v-300h${bought!.width}V300M${again!.x} 300v-150h${again!.width}V300`,
    )
    expect(outlineOf(bars, 'paid')).toBe(`M${paid!.x} 300v-75h${paid!.width}V300`)
    expect(barsOf([{ month: '2026-01', bought: 0, given: 0, paid: 0 }])).toEqual([])
    expect(barsOf([])).toEqual([])
  })

  it('count the days that something has waited', () => {
    expect(daysWaited('2026-02-27', '2026-03-01')).toBe(2)
    expect(daysWaited('2026-03-02', '2026-03-01')).toBe(0)
  })
})
