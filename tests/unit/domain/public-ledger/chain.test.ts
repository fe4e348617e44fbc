import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ChainDay, shownChain } from '#domain/public-ledger/chain.ts'

describe('the shown chain', () => {
  it('is nothing without gifts, and on the day on which they are paid', () => {
    expect(shownChain([], '2026-03-10')).toEqual({ cards: 0, until: null })
    expect(shownChain([{ day: '2026-03-10', cards: 50 }], '2026-03-10')).toEqual({ cards: 0, until: null })
  })

  it('moves on a day from twenty gifts on, and with an ended month from five on', () => {
    const days = [
      { day: '2026-03-01', cards: 12 },
      { day: '2026-03-02', cards: 8 },
      { day: '2026-03-03', cards: 5 },
      { day: '2026-04-10', cards: 4 },
    ]
    for (const [today, shown] of [
      ['2026-03-02', { cards: 0, until: null }],
      ['2026-03-03', { cards: 20, until: '2026-03-02' }],
      ['2026-03-31', { cards: 20, until: '2026-03-02' }],
      ['2026-04-01', { cards: 25, until: '2026-03-31' }],
      ['2026-05-01', { cards: 25, until: '2026-03-31' }],
    ] as const)
      expect(shownChain(days, today), today).toEqual(shown)
  })

  it('takes fewer than five on into the next month', () => {
    const days = [
      { day: '2026-12-30', cards: 3 },
      { day: '2027-01-02', cards: 2 },
    ]
    expect(shownChain(days, '2027-01-31').cards).toBe(0)
    expect(shownChain(days, '2027-02-01')).toEqual({ cards: 5, until: '2027-01-31' })
  })

  it('never moves by fewer than five from one day to the next, never back, and is never more than there were', () => {
    const start = Date.UTC(2026, 0, 1)
    const dayOf = (n: number): string => new Date(start + n * 86_400_000).toISOString().slice(0, 10)
    const aDay = fc.record({ n: fc.nat(150), cards: fc.integer({ min: 1, max: 30 }) })
    fc.assert(
      fc.property(fc.uniqueArray(aDay, { selector: ({ n }) => n, maxLength: 40 }), some => {
        const days: ChainDay[] = some.map(({ n, cards }) => ({ day: dayOf(n), cards }))
        let before = 0
        for (let n = 0; n <= 200; n++) {
          // What is paid later is not known yet.
          const { cards } = shownChain(
            days.filter(({ day }) => day <= dayOf(n)),
            dayOf(n),
          )
          expect(cards === before || cards - before >= 5).toBe(true)
          before = cards
        }
        const all = days.reduce((sum, { cards }) => sum + cards, 0)
        expect(before).toBeLessThanOrEqual(all)
        expect(all - before).toBeLessThan(20)
      }),
    )
  })
})
