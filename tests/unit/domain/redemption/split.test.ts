import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { isProblem } from '#domain/problems.ts'
import {
  checkSelection,
  leftoverOf,
  type Selection,
  shareOfLeftover,
  splitCredit,
  sumSelection,
} from '#domain/redemption/split.ts'
import { aMoney, aSelection, thrownBy } from '#tests/builders/domain.ts'
import { count } from '#tests/support/counts.ts'

const listed = ['msf', 'cerf', 'unrwa', 'unicef', 'undp', 'wfp', 'irc']

const refusal = (selection: readonly Selection[], amount = 5_000) => {
  const error = thrownBy(() => checkSelection(selection, aMoney({ amount }), listed))
  return isProblem(error) ? { code: error.code, fields: error.details.fields } : error
}

describe('summing a selection', () => {
  it('adds repeats and keeps the order of first appearance', () => {
    expect(sumSelection(aSelection(['wfp', 1], ['msf', 2], ['wfp', 3]))).toEqual(
      aSelection(['wfp', 4], ['msf', 2]),
    )
  })

  it('keeps ids apart that objects would confuse', () => {
    expect(sumSelection(aSelection(['__proto__', 1], ['constructor', 2]))).toEqual(
      aSelection(['__proto__', 1], ['constructor', 2]),
    )
  })
})

describe('checking a selection', () => {
  it('lets pass what the card can give, up to the last point', () => {
    expect(refusal(aSelection(['msf', 20], ['cerf', 20], ['msf', 10]))).toBeUndefined()
    expect(refusal(aSelection(['msf', 1]), 199)).toBeUndefined()
  })

  it.each([0, -1, 1.5, Number.NaN, Infinity, 2 ** 53])('refuses %d points', points => {
    expect(refusal(aSelection(['msf', 1], ['cerf', points]))).toEqual({
      code: 'invalid-fields',
      fields: [{ path: 'selection.1.points', rule: 'whole-and-positive' }],
    })
  })

  it('refuses negative points even where a repeat makes up for them', () => {
    expect(refusal(aSelection(['msf', -5], ['msf', 10]))).toMatchObject({ code: 'invalid-fields' })
  })

  it('refuses a selection of nothing', () => {
    expect(refusal([])).toEqual({
      code: 'invalid-fields',
      fields: [{ path: 'selection', rule: 'not-empty' }],
    })
  })

  it('refuses one point more than the credit, repeats together', () => {
    expect(refusal(aSelection(['msf', 25], ['msf', 26]))).toEqual({
      code: 'invalid-fields',
      fields: [{ path: 'selection', rule: 'within-credit' }],
    })
    expect(refusal(aSelection(['msf', 2]), 199)).toMatchObject({ code: 'invalid-fields' })
    expect(refusal(aSelection(['msf', 2 ** 52], ['cerf', 2 ** 52]))).toMatchObject({ code: 'invalid-fields' })
  })

  it('refuses every organisation that is not listed, by its path', () => {
    expect(refusal(aSelection(['msf', 1], ['gone', 1], ['MSF', 1]))).toEqual({
      code: 'ngo-not-listed',
      fields: [
        { path: 'selection.1.ngoId', rule: 'listed' },
        { path: 'selection.2.ngoId', rule: 'listed' },
      ],
    })
  })
})

/** What each organisation is owed, by BigInt: its points, and its place in the queue for leftover cents. */
function owed(credit: number, selection: readonly Selection[]) {
  const points = new Map<string, bigint>()
  for (const { ngoId, points: more } of selection) points.set(ngoId, (points.get(ngoId) ?? 0n) + BigInt(more))
  const sum = [...points.values()].reduce((a, b) => a + b, 0n)
  const leftover = BigInt(credit) - sum * 100n
  const rows = [...points].map(([ngoId, own], index) => {
    const whole = (leftover * own) / sum
    return { ngoId, index, amount: own * 100n + whole, rest: leftover * own - whole * sum }
  })
  let missing = BigInt(credit) - rows.reduce((a, { amount }) => a + amount, 0n)
  const queue = [...rows].sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  for (const row of queue) {
    if (missing === 0n) break
    row.amount += 1n
    missing -= 1n
  }
  return rows.map(({ ngoId, amount }) => [ngoId, Number(amount)])
}

describe('splitting a credit', () => {
  it('gives exactly the points when all are given', () => {
    expect(splitCredit(aMoney(), aSelection(['msf', 20], ['cerf', 20], ['wfp', 10]))).toEqual([
      { ngoId: 'msf', amount: money(2000, 'EUR'), points: 20 },
      { ngoId: 'cerf', amount: money(2000, 'EUR'), points: 20 },
      { ngoId: 'wfp', amount: money(1000, 'EUR'), points: 10 },
    ])
  })

  it('lets what is left over follow the points, to the cent', () => {
    const amounts = splitCredit(aMoney(), aSelection(['msf', 20], ['unrwa', 10])).map(
      ({ amount }) => amount.amount,
    )
    expect(amounts).toEqual([3333, 1667])
  })

  it('can tell what was left over, and each organisation’s share of it', () => {
    const credit = aMoney({ amount: 2_000 })
    const split = splitCredit(credit, aSelection(['msf', 2], ['unrwa', 1]))
    expect(leftoverOf(credit, split)).toEqual(money(1_700, 'EUR'))
    expect(split.map(each => shareOfLeftover(each).amount)).toEqual([1_133, 567])
    expect(leftoverOf(aMoney(), aSelection(['msf', 50]))).toEqual(money(0, 'EUR'))
  })

  it('gives everything to the only one chosen', () => {
    expect(splitCredit(aMoney({ currency: 'CAD' }), aSelection(['msf', 1]))).toEqual([
      { ngoId: 'msf', amount: money(5000, 'CAD'), points: 1 },
    ])
  })

  it('sums repeats first, so that splitting them makes no difference', () => {
    expect(splitCredit(aMoney(), aSelection(['msf', 1], ['wfp', 2], ['msf', 3]))).toEqual(
      splitCredit(aMoney(), aSelection(['msf', 4], ['wfp', 2])),
    )
  })

  it('gives away the credit to the cent, as an oracle in exact integers does', () => {
    const choice = fc.record({ ngoId: fc.constantFrom(...listed), points: fc.integer({ min: 1, max: 400 }) })
    const selections = fc.array(choice, { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(selections, fc.nat({ max: 100_000 }), (selection, leftover) => {
        const credit = leftover + 100 * selection.reduce((sum, { points }) => sum + points, 0)
        const split = splitCredit(money(credit, 'EUR'), selection)
        expect(split.map(({ ngoId, amount }) => [ngoId, amount.amount])).toEqual(owed(credit, selection))
        expect(split.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(credit)
        expect(split.every(({ amount, points }) => amount.amount >= points * 100)).toBe(true)
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it('gives nothing away twice: points beyond the credit are a fault', () => {
    expect(() => splitCredit(aMoney(), aSelection(['msf', 51]))).toThrow(RangeError)
    expect(() => splitCredit(aMoney(), [])).toThrow(RangeError)
  })
})
