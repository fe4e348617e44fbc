import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addPoint,
  clearPoints,
  creditPoints,
  type Points,
  partOfCredit,
  pointsLeft,
  pointsOf,
  removePoint,
  restHere,
  setPoints,
  shareEvenly,
  toSelection,
} from '#domain/redemption/points.ts'
import { splitCredit } from '#domain/redemption/split.ts'
import { aMoney, aSelection } from '#tests/builders/domain.ts'
import { count } from '#tests/support/counts.ts'

const listed = ['msf', 'cerf', 'unrwa', 'unicef', 'undp', 'wfp', 'irc']

describe('points', () => {
  it('are as many as the credit’s whole units', () => {
    expect([5000, 200, 199, 99].map(amount => creditPoints(aMoney({ amount })))).toEqual([50, 2, 1, 0])
  })

  it('are added one by one until none is left', () => {
    const twice = addPoint(addPoint({}, 'msf', 2), 'cerf', 2)
    expect(twice).toEqual({ msf: 1, cerf: 1 })
    expect(addPoint(twice, 'msf', 2)).toEqual(twice)
    expect(pointsLeft(twice, 2)).toBe(0)
  })

  it('are taken off one by one, and the last takes the organisation out', () => {
    expect(removePoint({ msf: 2 }, 'msf')).toEqual({ msf: 1 })
    expect(removePoint({ msf: 1, wfp: 3 }, 'msf')).toEqual({ wfp: 3 })
    expect(removePoint({}, 'msf')).toEqual({})
  })

  it.each([
    [7, 7],
    [99, 45],
    [-3, 0],
    [4.9, 4],
    [Number.NaN, 0],
    [Infinity, 45],
  ])('typed as %d beside 5 others of 50 become %i', (typed, given) => {
    expect(pointsOf(setPoints({ wfp: 5, msf: 10 }, 'msf', typed, 50), 'msf')).toBe(given)
  })

  it('are shared evenly, and what does not divide is left to be shared alike', () => {
    const even = shareEvenly(listed, 50, () => 0)
    expect(even).toEqual({ msf: 7, cerf: 7, unrwa: 7, unicef: 7, undp: 7, wfp: 7, irc: 7 })
    const amounts = splitCredit(aMoney({ amount: 5_000 }), toSelection(even, listed)).map(
      ({ amount }) => amount.amount,
    )
    expect(Math.max(...amounts) - Math.min(...amounts)).toBeLessThanOrEqual(1)
    expect(shareEvenly([], 50, () => 0)).toEqual({})
    expect(shareEvenly(listed, 7, () => 0)).toEqual(Object.fromEntries(listed.map(id => [id, 1])))
  })

  it('too few for every organisation reach as many as there are points, drawn by lot', () => {
    const numbers = [0.999, 0.5]
    expect(shareEvenly(listed, 2, () => numbers.shift()!)).toEqual({ irc: 1, unicef: 1 })
    const drawnAlone = listed.map((_, index) =>
      Object.keys(shareEvenly(listed, 1, () => (index + 0.5) / listed.length)),
    )
    expect(drawnAlone.flat()).toEqual(listed)
  })

  it('are a part of the credit, from none of it to all', () => {
    expect(partOfCredit({ msf: 20, wfp: 30 }, 'msf', 50)).toBe(0.4)
    expect(partOfCredit({ msf: 50 }, 'msf', 50)).toBe(1)
    expect(partOfCredit({ msf: 50 }, 'irc', 50)).toBe(0)
    expect(partOfCredit({}, 'msf', 0)).toBe(0)
  })

  it('left over go to one organisation at a word', () => {
    expect(restHere({ msf: 20, cerf: 10 }, 'cerf', 50)).toEqual({ msf: 20, cerf: 30 })
    expect(restHere({}, 'wfp', 50)).toEqual({ wfp: 50 })
    expect(restHere({ msf: 50 }, 'wfp', 50)).toEqual({ msf: 50 })
  })

  it('become a selection in the order of the list', () => {
    expect(toSelection({ wfp: 1, msf: 2 }, listed)).toEqual(aSelection(['msf', 2], ['wfp', 1]))
    expect(toSelection(clearPoints(), listed)).toEqual([])
  })

  it('know no organisation by a name that every object has', () => {
    expect(pointsOf({}, 'constructor')).toBe(0)
    expect(pointsOf(addPoint({}, '__proto__', 3), '__proto__')).toBe(1)
  })

  it('stay whole, positive and within the credit through any moves, and no move changes the table it is given', () => {
    const ngo = fc.constantFrom(...listed)
    const move = fc.oneof(
      ngo.map(id => (points: Points, credit: number) => addPoint(points, id, credit)),
      ngo.map(id => (points: Points) => removePoint(points, id)),
      ngo.map(id => (points: Points, credit: number) => restHere(points, id, credit)),
      fc.tuple(ngo, fc.oneof(fc.integer({ min: -10, max: 400 }), fc.double())).map(
        ([id, wanted]) =>
          (points: Points, credit: number) =>
            setPoints(points, id, wanted, credit),
      ),
      fc.constant((_: Points, credit: number) => shareEvenly(listed, credit, () => 0)),
      fc.constant(() => clearPoints()),
    )
    fc.assert(
      fc.property(fc.array(move, { maxLength: 40 }), fc.nat({ max: 300 }), (moves, credit) => {
        let points: Points = Object.freeze(clearPoints())
        for (const step of moves) {
          points = Object.freeze(step(points, credit))
          expect(Object.values(points).every(given => Number.isInteger(given) && given >= 1)).toBe(true)
          expect(pointsLeft(points, credit)).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })
})
