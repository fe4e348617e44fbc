import { describe, expect, it } from 'vitest'
import { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import { CARD_KINDS, isPackageId, PACKAGE_IDS, PACKAGES, packageOfKind } from '#domain/pricing/packages.ts'
import { entryOf, STRATEGIES, STRATEGY_IDS, strategyForLanguage } from '#domain/pricing/strategies.ts'

describe('the packages', () => {
  it('are five, under the ids they are sold by', () => {
    expect(Object.keys(PACKAGES)).toEqual([...PACKAGE_IDS])
    expect(PACKAGE_IDS.every(isPackageId)).toBe(true)
    expect(PACKAGE_IDS).toEqual(['keep the chain', 'their food', 'their water', 'their homes', 'their lifes'])
    expect(['their lives', 'KEEP THE CHAIN', '', 'valueOf', null].some(isPackageId)).toBe(false)
  })

  it('have a kind of card each, and the other kinds sell none', () => {
    expect(PACKAGE_IDS.map(id => PACKAGES[id].kind)).toEqual(['chain', 'food', 'water', 'homes', 'lives'])
    for (const id of PACKAGE_IDS) expect(packageOfKind(PACKAGES[id].kind)).toBe(id)
    const others = CARD_KINDS.filter(kind => packageOfKind(kind) === undefined)
    expect(others).toEqual(['free', 'try', 'help-us', 'volunteering'])
    expect(Object.keys(GIFT_CARD_ENTRIES)).toEqual(others)
  })

  it('number their citations without repeats, and link over https', () => {
    const citations = PACKAGE_IDS.flatMap(id => PACKAGES[id].citation ?? [])
    expect(citations.map(({ number }) => number)).toEqual([1, 2, 3, 4])
    for (const { links } of citations) {
      for (const link of Object.values(links)) expect(new URL(link).protocol).toBe('https:')
    }
  })
})

describe('the pricing strategies', () => {
  it.each([
    ['tiktok-fr', [200, 2000, 5000, 7000, 12_000]],
    ['tiktok-sp', [200, 2000, 5000, 7000, 12_000]],
    ['tiktok-usa', [500, 5000, 10_000, 20_000, 30_000]],
  ] as const)('%s asks for %j', (strategy, amounts) => {
    expect(PACKAGE_IDS.map(id => entryOf(strategy, id).ngoAmount)).toEqual(amounts)
  })

  it('price each package once, without support, with multiplier 1', () => {
    for (const strategy of STRATEGY_IDS) {
      expect(STRATEGIES[strategy].map(({ packageId }) => packageId)).toEqual(PACKAGE_IDS)
      expect(STRATEGIES[strategy].every(entry => entry.supportAmount === 0 && entry.multiplier === 1)).toBe(
        true,
      )
    }
  })

  it('follow the language', () => {
    expect((['es', 'fr', 'en'] as const).map(strategyForLanguage)).toEqual([
      'tiktok-sp',
      'tiktok-fr',
      'tiktok-usa',
    ])
  })

  it('have no entry for what is no package', () => {
    expect(entryOf('tiktok-fr', 'their lives')).toBeUndefined()
  })
})
