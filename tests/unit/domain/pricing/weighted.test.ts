import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawWeighted } from '#domain/pricing/weighted.ts'

const coin = [
  { face: 'heads', probability: 1 },
  { face: 'never', probability: 0 },
  { face: 'tails', probability: 1 },
]

describe('a weighted draw', () => {
  it('gives each its share of the range, the end of one being the start of the next', () => {
    const faces = [0, 0.4999, 0.5, 0.9999].map(chance => drawWeighted(coin, () => chance).face)
    expect(faces).toEqual(['heads', 'heads', 'tails', 'tails'])
  })

  it('never gives what has no chance, wherever the draw falls', () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    const weights = fc
      .array(fc.constantFrom(0, 0.1, 0.2, 0.3, 0.7), { minLength: 1 })
      .filter(list => list.some(probability => probability > 0))
    fc.assert(
      fc.property(weights, chance, (list, drawn) => {
        const choices = list.map(probability => ({ probability }))
        expect(drawWeighted(choices, () => drawn).probability).toBeGreaterThan(0)
      }),
    )
  })

  it('is a fault where nothing has a chance', () => {
    expect(() => drawWeighted([], () => 0)).toThrow(RangeError)
    expect(() => drawWeighted([{ probability: 0 }], () => 0)).toThrow(RangeError)
  })
})
