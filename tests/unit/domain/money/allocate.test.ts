import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate } from '#domain/money/allocate.ts'
import { count } from '#tests/support/counts.ts'

/**
 * Another way to the same answer: hand the missing units out one by one, each to the part whose exact share,
 * as a fraction of BigInts, is furthest above what it has. The first of equals wins.
 */
function oneByOne(total: number, weights: readonly number[]): number[] {
  const sum = BigInt(weights.reduce((a, b) => a + b, 0))
  const exact = weights.map(weight => BigInt(total) * BigInt(weight))
  const parts = exact.map(share => share / sum)
  const given = weights.map(() => false)
  while (parts.reduce((a, b) => a + b, 0n) < BigInt(total)) {
    let best = -1
    for (let i = 0; i < parts.length; i++) {
      if (given[i]) continue
      if (best < 0 || exact[i]! - (exact[i]! / sum) * sum > exact[best]! - (exact[best]! / sum) * sum)
        best = i
    }
    given[best] = true
    parts[best]! += 1n
  }
  return parts.map(Number)
}

const weights = fc
  .array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 12 })
  .filter(list => list.some(weight => weight > 0))

describe('allocation by the largest remainder', () => {
  it.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [2000, [20, 10], [1333, 667]],
    [1, [1, 1], [1, 0]],
    [2, [1, 1, 1], [1, 1, 0]],
    [0, [3, 4], [0, 0]],
    [10, [0, 5, 0], [0, 10, 0]],
    [7, [1], [7]],
    [5, [1, 2, 4], [1, 1, 3]],
  ])('shares %i by %j as %j', (total, weights, parts) => {
    expect(allocate(total, weights)).toEqual(parts)
  })

  it('gives the last cent to the first of equals', () => {
    expect(allocate(10, [3, 3, 3])).toEqual([4, 3, 3])
  })

  it('agrees with handing out unit by unit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000_000 }), weights, (total, weights) => {
        expect(allocate(total, weights)).toEqual(oneByOne(total, weights))
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it('loses and makes nothing, also at the end of the exact range', () => {
    const huge = fc
      .array(fc.maxSafeNat(), { minLength: 1, maxLength: 8 })
      .filter(list => list.some(weight => weight > 0))
    fc.assert(
      fc.property(fc.maxSafeNat(), huge, (total, weights) => {
        const parts = allocate(total, weights)
        expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(total))
        expect(parts.every(part => Number.isSafeInteger(part) && part >= 0)).toBe(true)
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it('keeps each part within one unit of its exact share', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), weights, (total, weights) => {
        const sum = BigInt(weights.reduce((a, b) => a + b, 0))
        for (const [index, part] of allocate(total, weights).entries()) {
          const gap = BigInt(part) * sum - BigInt(total) * BigInt(weights[index]!)
          expect(gap > -sum && gap < sum).toBe(true)
        }
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it.each([
    [10, []],
    [10, [0, 0]],
    [10, [-1, 2]],
    [10, [0.5]],
    [-1, [1]],
    [0.5, [1]],
    [Number.NaN, [1]],
  ])('refuses %j by %j', (total, weights) => {
    expect(() => allocate(total, weights)).toThrow(RangeError)
  })
})
