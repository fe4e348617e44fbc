import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { STRATEGIES } from '#domain/pricing/strategies.ts'
import {
  reachableSupports,
  sliderExtra,
  sliderPositions,
  sliderStep,
  VOLUNTEERING_MULTIPLIER,
} from '#domain/support/slider.ts'
import { anEntry } from '#tests/builders/domain.ts'
import { count } from '#tests/support/counts.ts'

describe('the support slider', () => {
  it.each([
    [{ support: 0, price: 50, multiplier: 1, position: 30 }, 15],
    [{ support: 0, price: 2, multiplier: 1, position: 50 }, 1],
    [{ support: 0, price: 100, multiplier: VOLUNTEERING_MULTIPLIER, position: 20 }, 800],
    [{ support: 0, price: 50, multiplier: 1, position: 0 }, 0],
    [{ support: 0, price: 50, multiplier: 1, position: 100 }, 50],
    [{ support: 5, price: 45, multiplier: 1, position: 30 }, 20],
    [{ support: 5, price: 45, multiplier: 1, position: 0 }, 5],
    [{ support: 0, price: 100, multiplier: 1.55, position: 100 }, 155],
    [{ support: 0, price: 2, multiplier: 1, position: 2 }, 0],
  ])('gives for %j the whole support of %i', (place, extra) => {
    expect(sliderExtra(place)).toBe(extra)
  })

  it('never loses a unit to a fraction (against exact rational arithmetic)', () => {
    const place = fc.record({
      support: fc.nat({ max: 1000 }),
      price: fc.nat({ max: 10_000 }),
      hundredths: fc.integer({ min: 0, max: 5000 }),
      position: fc.integer({ min: 0, max: 100 }),
    })
    fc.assert(
      fc.property(place, ({ support, price, hundredths, position }) => {
        const exact = BigInt(support) * 10_000n + BigInt((price + support) * hundredths) * BigInt(position)
        expect(BigInt(sliderExtra({ support, price, multiplier: hundredths / 100, position }))).toBe(
          exact / 10_000n,
        )
      }),
      { numRuns: count({ usual: 2_000, long: 100_000 }) },
    )
  })

  it('gives the unit that floating point loses', () => {
    expect(Math.floor(100 * 0.57)).toBe(56)
    expect(sliderExtra({ support: 0, price: 100, multiplier: 1, position: 57 })).toBe(57)
  })

  it.each([
    [2, 2],
    [5, 5],
    [9, 9],
    [10, 10],
    [50, 10],
    [300, 10],
    [0, 1],
  ])('steps, for a price of %i, by %i', (price, step) => {
    expect(sliderStep(price)).toBe(step)
  })

  it('takes the positions of a native range', () => {
    expect(sliderPositions(50)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    expect(sliderPositions(2)).toHaveLength(51)
    expect(sliderPositions(7).at(-1)).toBe(98)
    for (let price = 0; price <= 300; price++) {
      const positions = sliderPositions(price)
      expect(positions[0]).toBe(0)
      expect(100 - positions.at(-1)!).toBeLessThan(sliderStep(price))
    }
  })
})

describe('the supports that a slider reaches', () => {
  it('are 0, 5 … 50 for 50', () => {
    const tenSteps = [0, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000]
    expect(reachableSupports(anEntry({ ngoAmount: 5_000 }))).toEqual(tenSteps)
  })

  it('are each whole unit once for a small price', () => {
    expect(reachableSupports(anEntry({ packageId: 'keep the chain', ngoAmount: 200 }))).toEqual([0, 100, 200])
    expect(reachableSupports(anEntry({ ngoAmount: 500 }))).toEqual([0, 100, 200, 300, 400, 500])
  })

  it('rise, are whole units and start at the package’s own support', () => {
    for (const entry of [
      ...Object.values(STRATEGIES).flat(),
      anEntry({ supportAmount: 700, multiplier: 1.55 }),
    ]) {
      const supports = reachableSupports(entry)
      expect(supports[0]).toBe(entry.supportAmount)
      expect(
        supports.every((support, i) => support % 100 === 0 && (i === 0 || support > supports[i - 1]!)),
      ).toBe(true)
    }
  })
})
