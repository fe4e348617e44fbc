import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CurrencyFigures } from '#domain/public-ledger/figures.ts'
import { barOf, PLACES, whereItIs } from '#domain/public-ledger/where-it-is.ts'

const none = { count: 0, amount: 0 }
const figures = (changes: Partial<CurrencyFigures>): CurrencyFigures => ({
  currency: 'EUR',
  sold: none,
  free: none,
  given: none,
  givenAway: none,
  onCards: 0,
  waiting: [],
  inTransfer: 0,
  paidOut: 0,
  payouts: [],
  support: 0,
  tax: 0,
  volunteering: 0,
  fees: { fromSupport: 0, fromOperator: 0 },
  refunded: 0,
  lost: 0,
  ...changes,
})

describe('where the money is', () => {
  it('is told in the order of its way, without places where nothing is', () => {
    const waiting = [
      { ngoId: 'msf', amount: 300, since: '2026-03-10' },
      { ngoId: 'cerf', amount: 200, since: '2026-03-11' },
    ]
    expect(whereItIs(figures({ paidOut: 700, onCards: 100, waiting, tax: 42 }))).toEqual([
      ['on-cards', 100],
      ['waiting', 500],
      ['paid-out', 700],
      ['tax', 42],
    ])
  })

  it('is a bar that is full to its end, whatever the amounts', () => {
    const amounts = fc.array(fc.tuple(fc.constantFrom(...PLACES), fc.integer({ min: -50, max: 1_000_000 })), {
      minLength: 1,
    })
    fc.assert(
      fc.property(amounts, places => {
        const bar = barOf(places)
        let end = 0
        for (const { from, width } of bar) {
          expect(from).toBe(end)
          expect(width).toBeGreaterThanOrEqual(0)
          end += width
        }
        expect(end).toBe(places.some(([, amount]) => amount > 0) ? 1000 : 0)
      }),
    )
  })

  it('has no bar of nothing', () => {
    expect(barOf([['tax', -5]])).toEqual([])
  })
})
