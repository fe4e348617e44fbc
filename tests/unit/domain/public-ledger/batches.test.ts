import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  byTheDay,
  closeBatches,
  creditOf,
  hides,
  MOST_IN_LEAF,
  mayShowPayout,
  payoutGroups,
  type Waiting,
} from '#domain/public-ledger/batches.ts'
import { type Amounts, summed } from '#domain/public-ledger/leaf.ts'
import { count } from '#tests/support/counts.ts'

const RUNS = { numRuns: count({ usual: 1_000, long: 100_000 }) }

let made = 0
const given = (day: string, credit: number, ngo = 'one', currency: Waiting['currency'] = 'EUR'): Waiting => ({
  id: `card-${made++}`,
  day,
  cause: 'given',
  currency,
  amounts: [
    ['cards', -credit],
    [`ngo:${ngo}`, credit],
  ],
})
const some = (number: number, day: string, credit = 500) =>
  Array.from({ length: number }, () => given(day, credit))

describe('a batch of used cards', () => {
  it('closes on the next day from twenty cards on', () => {
    expect(closeBatches(some(19, '2026-11-21'), '2026-11-22')).toEqual([])
    const [batch, ...more] = closeBatches(some(20, '2026-11-21'), '2026-11-22')
    expect(more).toEqual([])
    expect(batch).toMatchObject({ day: '2026-11-21', cause: 'given', currency: 'EUR' })
    expect(batch!.amounts).toEqual([
      ['cards', -10_000],
      ['ngo:one', 10_000],
    ])
  })

  it('takes what earlier days have left', () => {
    const cards = [...some(12, '2026-11-03'), ...some(8, '2026-11-21')]
    expect(closeBatches(cards, '2026-11-22')[0]!.entries).toHaveLength(20)
  })

  it('closes by the month from five cards on, with those of that month alone', () => {
    const november = some(5, '2026-11-28')
    const december = some(3, '2026-12-01')
    expect(closeBatches(november, '2026-11-30')).toEqual([])
    const [batch] = closeBatches([...november, ...december], '2026-12-02')
    expect(batch).toMatchObject({ day: '2026-11-30' })
    expect(batch!.entries).toEqual(expect.arrayContaining(november))
    expect(batch!.entries).toHaveLength(5)
    expect(closeBatches(november.slice(1), '2026-12-01')).toEqual([])
  })

  it('waits over the end of a month for five', () => {
    const cards = [...some(4, '2026-11-02'), ...some(1, '2026-12-20')]
    expect(closeBatches(cards, '2026-12-31')).toEqual([])
    expect(closeBatches(cards, '2027-01-01')[0]).toMatchObject({ day: '2026-12-31' })
  })

  it('leaves out a card that is worth more than half of it', () => {
    const giant = given('2026-11-21', 10_001, 'rare')
    const [batch] = closeBatches([giant, ...some(20, '2026-11-21')], '2026-11-22')
    expect(batch!.entries).not.toContain(giant)
    expect(batch!.entries).toHaveLength(20)
    expect(closeBatches([giant, ...some(4, '2026-11-21')], '2026-12-01')).toEqual([])
    const half = given('2026-11-21', 10_000, 'rare')
    expect(closeBatches([half, ...some(20, '2026-11-21')], '2026-11-22')[0]!.entries).toHaveLength(21)
  })

  it('leaves out a card of an uneven amount whose remainder would name the organisation that it went to', () => {
    const uneven = (ngo: string) => given('2026-11-21', 3_700, ngo)
    const even = some(30, '2026-11-21', 5_000)
    const one = uneven('rare')
    const [batch] = closeBatches([one, ...even], '2026-11-22')
    expect(batch!.entries).toHaveLength(30)
    expect(batch!.amounts).toEqual([
      ['cards', -150_000],
      ['ngo:one', 150_000],
    ])
    // Five hide each other, and so do organisations that have remainders of cards that were divided.
    const five = ['a', 'b', 'b', 'c', 'c'].map(uneven)
    expect(closeBatches([...five, ...even], '2026-11-22')[0]!.entries).toHaveLength(35)
    const divided = (ngo: string, other: string): Waiting => ({
      ...given('2026-11-21', 5_000),
      amounts: [
        ['cards', -5_000],
        [`ngo:${ngo}`, 1_300],
        [`ngo:${other}`, 3_700],
      ],
    })
    expect(closeBatches([one, divided('a', 'b'), ...even], '2026-11-22')[0]!.entries).toContain(one)
    expect(closeBatches([one, divided('rare', 'a'), ...even], '2026-11-22')[0]!.entries).not.toContain(one)
  })

  it('is of no more cards than a line can hold: more are several lines, as even as they can be', () => {
    for (const number of [MOST_IN_LEAF, MOST_IN_LEAF + 1, MOST_IN_LEAF * 3 + 1, 9_999]) {
      const sizes = closeBatches(some(number, '2026-11-21'), '2026-11-22').map(each => each.entries.length)
      expect(sizes.reduce((sum, size) => sum + size)).toBe(number)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_IN_LEAF)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(20)
    }
  })

  it('has all cards of uneven amounts that hide each other, also where it is several lines', () => {
    const even = some(MOST_IN_LEAF * 3, '2026-11-21')
    for (const [number, shown] of [
      [4, 0],
      [5, 5],
      [9, 9],
      [14, 14],
      [200, 200],
    ] as const) {
      const uneven = Array.from({ length: number }, () => given('2026-11-21', 3_700, 'rare'))
      const batches = closeBatches([...even, ...uneven], '2026-11-22')
      const within = batches.map(({ entries }) => entries.filter(each => creditOf(each) === 3_700).length)
      expect(within.reduce((sum, each) => sum + each)).toBe(shown)
      for (const each of within) expect(each === 0 || each >= 5).toBe(true)
      const sizes = batches.map(({ entries }) => entries.length)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_IN_LEAF)
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(MOST_IN_LEAF - 50)
    }
  })

  it('is of one currency', () => {
    const dollars = Array.from({ length: 20 }, () => given('2026-11-21', 500, 'one', 'USD'))
    const batches = closeBatches([...some(19, '2026-11-21'), ...dollars], '2026-11-22')
    expect(batches.map(({ currency }) => currency)).toEqual(['USD'])
  })

  it('never shows fewer cards than hide each other, and shows each once', () => {
    const card = fc.record({
      day: fc.constantFrom('2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'),
      credit: fc.oneof(fc.constant(500), fc.integer({ min: 1, max: 1_000_000 })),
      currency: fc.constantFrom('EUR' as const, 'USD' as const),
    })
    fc.assert(
      fc.property(
        fc.array(card, { maxLength: 900 }),
        fc.constantFrom('2026-12-01', '2026-12-02'),
        (cards, today) => {
          const waiting = cards.map(({ day, credit, currency }) => given(day, credit, 'one', currency))
          const batches = closeBatches(waiting, today)
          const shown = batches.flatMap(({ entries }) => entries.map(({ id }) => id))
          expect(new Set(shown).size).toBe(shown.length)
          for (const { entries, amounts } of batches) {
            const credits = entries.map(creditOf)
            const all = credits.reduce((sum, each) => sum + each, 0)
            expect(entries.length).toBeGreaterThanOrEqual(5)
            expect(entries.length).toBeLessThanOrEqual(MOST_IN_LEAF)
            const uneven = credits.filter(each => each % 500 !== 0).length
            if (uneven > 0) expect(uneven).toBeGreaterThanOrEqual(5)
            expect(Math.max(...credits) * 2).toBeLessThanOrEqual(all)
            expect(amounts).toEqual(summed(...entries.map(each => each.amounts)))
          }
        },
      ),
      { numRuns: RUNS.numRuns / 10 },
    )
  })
})

describe('what is of buyers', () => {
  const sale = (support: number, day = '2026-11-21'): Waiting => ({
    id: `sale-${made++}`,
    day,
    cause: 'sale',
    currency: 'EUR',
    amounts: summed([
      ['payments', -2_000 - support],
      ['cards', 2_000],
      ['support', support],
    ]),
  })

  it('stands alone where its amounts occur five times on a day, else in the sum of the day', () => {
    const often = Array.from({ length: 5 }, () => sale(0))
    const rare = [sale(101), sale(102), ...Array.from({ length: 4 }, () => sale(200))]
    const leaves = byTheDay([...rare, ...often, sale(0, '2026-11-20')])
    expect(leaves.filter(({ entries }) => entries.length === 1)).toHaveLength(6)
    const [sum, ...more] = leaves.filter(({ entries }) => entries.length > 1)
    expect(more).toEqual([])
    expect(sum!.entries).toEqual(expect.arrayContaining(rare))
    expect(sum).toMatchObject({ day: '2026-11-21', cause: 'sale' })
    expect(sum!.amounts).toEqual([
      ['cards', 12_000],
      ['payments', -13_003],
      ['support', 1_003],
    ])
  })

  it('is in no sum of few where the day has more than a line can hold', () => {
    for (const number of [MOST_IN_LEAF, MOST_IN_LEAF + 1, MOST_IN_LEAF * 2 + 1]) {
      const leaves = byTheDay(Array.from({ length: number }, (_, n) => sale(n)))
      const sizes = leaves.map(({ entries }) => entries.length)
      expect(sizes.reduce((sum, size) => sum + size)).toBe(number)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_IN_LEAF)
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(MOST_IN_LEAF / 2)
    }
  })

  it('stands in exactly one leaf each, and no sum is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(6), fc.constantFrom('2026-11-20', '2026-11-21')), { maxLength: 60 }),
        some => {
          const waiting = some.map(([support, day]) => sale(support, day))
          const leaves = byTheDay(waiting)
          const ids = leaves.flatMap(({ entries }) => entries.map(({ id }) => id))
          expect(ids.toSorted()).toEqual(waiting.map(({ id }) => id).toSorted())
          const all = (leafs: readonly { readonly amounts: Amounts }[]) =>
            summed(...leafs.map(each => each.amounts))
          expect(all(leaves)).toEqual(all(waiting))
          for (const { day, entries } of leaves) expect(entries.every(each => each.day === day)).toBe(true)
        },
      ),
      RUNS,
    )
  })
})

describe('a payout', () => {
  const cards = (from: number, number: number, isShown = true, credit = 500) =>
    Array.from({ length: number }, (_, n) => ({ at: from + n, credit, isShown }))

  it.each([
    ['everything in leaves, nothing after', cards(1, 20), 0, 20, true],
    ['a card of it in no leaf', [...cards(1, 19), ...cards(20, 1, false)], 0, 20, false],
    ['a single card after it in a leaf', cards(1, 20), 0, 19, false],
    ['five cards after it in leaves', cards(1, 20), 0, 15, true],
    ['a card after it in no leaf', [...cards(1, 20), ...cards(30, 1, false)], 0, 20, true],
    ['fewer than five cards since the one before', cards(1, 20), 16, 20, false],
    ['five cards since the one before', cards(1, 20), 15, 20, true],
    ['none of a recipient', [], 0, 20, true],
    [
      'one card among them that is worth more than half',
      [...cards(1, 9), ...cards(10, 1, true, 9_000)],
      0,
      10,
      false,
    ],
    [
      'one card after it that is worth more than half',
      [...cards(1, 9), ...cards(10, 4), ...cards(20, 1, true, 9_000)],
      0,
      9,
      false,
    ],
  ])('with %s', (_, all, from, until, may) => {
    expect(mayShowPayout(all, { from, until })).toBe(may)
  })
})

describe('payouts to an organisation', () => {
  const shown = (from: number, number: number) =>
    Array.from({ length: number }, (_, n) => ({ at: from + n, credit: 500, isShown: true }))
  const paid = (until: number) => ({ isOver: true, until })

  it('are shown one by one where each may be', () => {
    const [one, two] = [paid(10), paid(20)]
    expect(payoutGroups([one, two], shown(1, 20), 0)).toEqual([[one], [two]])
  })

  it('are summed where one of them would show too few cards', () => {
    const [one, two] = [paid(3), paid(20)]
    expect(payoutGroups([one, two], shown(1, 20), 0)).toEqual([[one, two]])
    expect(payoutGroups([one], shown(1, 20), 0)).toEqual([])
  })

  it('wait for one before them that the bank has not paid', () => {
    const open = { isOver: false, until: 10 }
    expect(payoutGroups([open, paid(20)], shown(1, 20), 0)).toEqual([])
    expect(payoutGroups([paid(10), { isOver: false, until: 20 }], shown(1, 20), 0)).toEqual([[paid(10)]])
  })

  it('that were taken back show no card', () => {
    const back = { isOver: true, until: null }
    expect(payoutGroups([back], [], 0)).toEqual([[back]])
    expect(payoutGroups([paid(3), back, paid(20)], shown(1, 20), 0)).toEqual([[paid(3), back, paid(20)]])
  })

  it('never tell of fewer than five cards, whatever is paid out when', () => {
    const scene = fc.record({
      cards: fc.array(fc.record({ credit: fc.constantFrom(1, 5, 50), isShown: fc.boolean() }), {
        maxLength: 40,
      }),
      payouts: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }),
    })
    fc.assert(
      fc.property(scene, ({ cards, payouts }) => {
        const given = cards.map((card, n) => ({ ...card, at: n + 1 }))
        const groups = payoutGroups([...payouts].sort((a, b) => a - b).map(paid), given, 0)
        const ends = groups.map(group => Math.max(...group.map(({ until }) => until)))
        for (const [n, until] of ends.entries()) {
          const from = ends[n - 1] ?? 0
          const covered = given.filter(({ at }) => at > from && at <= until)
          expect(covered.every(({ isShown }) => isShown)).toBe(true)
          expect(covered.length === 0 || covered.length >= 5).toBe(true)
        }
      }),
      RUNS,
    )
  })
})

describe('a number of shares', () => {
  it('hides each where it is large enough and none is more than half', () => {
    expect(hides([1, 1, 1, 1, 1], 5)).toBe(true)
    expect(hides([1, 1, 1, 1], 5)).toBe(false)
    expect(hides([4, 1, 1, 1, 1], 5)).toBe(true)
    expect(hides([5, 1, 1, 1, 1], 5)).toBe(false)
  })
})
