import { describe, expect, it } from 'vitest'
import { PACKAGES } from '#domain/pricing/packages.ts'
import { drawWording, type WordingVariant } from '#domain/pricing/wording.ts'
import { seededRandom } from '#tests/builders/domain.ts'

const variants: readonly WordingVariant[] = [
  { key: 'start-often', name: 'a', probability: 3, otherFiltering: 'start-chain' },
  { key: 'start-seldom', name: 'b', probability: 1, otherFiltering: 'start-chain' },
  { key: 'keep', name: 'c', probability: 1, otherFiltering: 'keep-chain' },
  { key: 'never', name: 'd', probability: 0 },
]

describe('a wording', () => {
  it('is its key where there is only one', () => {
    expect(drawWording('package-chain-title', 'keep-chain', () => 0.5)).toBe('package-chain-title')
  })

  it('is drawn among the variants meant for the visitor, by their weights', () => {
    const random = seededRandom(7)
    const drawn = Array.from({ length: 100_000 }, () => drawWording(variants, 'start-chain', random))
    expect(new Set(drawn)).toEqual(new Set(['start-often', 'start-seldom']))
    expect(Math.abs(drawn.filter(key => key === 'start-often').length / 100_000 - 0.75)).toBeLessThan(0.01)
    expect(drawWording(variants, 'keep-chain', random)).toBe('keep')
  })

  it('takes a variant without a filter for everybody', () => {
    const open: WordingVariant[] = [{ key: 'any', name: 'any', probability: 0.2 }]
    expect(drawWording(open, 'keep-chain', () => 0.999)).toBe('any')
    expect(drawWording(open, 'start-chain', () => 0)).toBe('any')
  })

  it('is a fault where no variant is meant for the visitor', () => {
    expect(() => drawWording(variants.slice(0, 2), 'keep-chain', () => 0)).toThrow(RangeError)
  })

  it.each(Object.values(PACKAGES))(
    'of the $kind package fits whoever reads it',
    ({ kind, title, subtitle }) => {
      expect(drawWording(title, 'start-chain', () => 0)).toBe(`package-${kind}-title`)
      expect(drawWording(subtitle, 'start-chain', () => 0)).toBe(`package-${kind}-subtitle-start`)
      expect(drawWording(subtitle, 'keep-chain', () => 0)).toBe(`package-${kind}-subtitle-keep`)
    },
  )
})
