import { describe, expect, it } from 'vitest'
import { CARD_ORDERS } from '#domain/pricing/card-orders.ts'
import { GIFT_CARD_ENTRIES } from '#domain/pricing/gift-card-entries.ts'
import {
  CARD_KINDS,
  isPackageId,
  kindOfPackage,
  PACKAGE_IDS,
  PACKAGES,
  withOwn,
} from '#domain/pricing/packages.ts'
import { entryOf, STRATEGIES, STRATEGY_IDS, strategyForLanguage } from '#domain/pricing/strategies.ts'

describe('the packages', () => {
  it('that a site begins with are five, under the ids they are sold by', () => {
    expect(Object.keys(PACKAGES)).toEqual([...PACKAGE_IDS])
    expect(PACKAGE_IDS).toEqual(['keep the chain', 'their food', 'their water', 'their homes', 'their lifes'])
  })

  it('are called by words of small letters and digits', () => {
    expect([...PACKAGE_IDS, 'their schools', 'winter-2027', 'a'.repeat(60)].every(isPackageId)).toBe(true)
    const wrong = [
      'KEEP THE CHAIN',
      '',
      ' food',
      'food ',
      'two  spaces',
      'ñ',
      'a/b',
      'valueOf',
      'a'.repeat(61),
      null,
    ]
    expect(wrong.filter(isPackageId)).toEqual([])
  })

  it('have a kind of card each, and the other kinds sell none', () => {
    expect(PACKAGE_IDS.map(kindOfPackage)).toEqual(['chain', 'food', 'water', 'homes', 'lives'])
    expect(['their schools', 'constructor'].map(kindOfPackage)).toEqual(['own', 'own'])
    const selling = PACKAGE_IDS.map(kindOfPackage)
    const others = CARD_KINDS.filter(kind => !selling.includes(kind as (typeof selling)[number]))
    expect(others).toEqual(['free', 'try', 'help-us', 'volunteering'])
    expect(Object.keys(GIFT_CARD_ENTRIES)).toEqual(others)
  })

  it('of the operator stand behind the last of those that the order names', () => {
    const orders = Object.values(CARD_ORDERS).flat()
    for (const { kinds } of orders) {
      const placed = withOwn(kinds)
      expect(placed.filter(kind => kind !== 'own')).toEqual([...kinds])
      const last = Math.max(
        ...['chain', 'food', 'water', 'homes', 'lives'].map(kind => placed.indexOf(kind as never)),
      )
      expect(placed.indexOf('own')).toBe(last + 1)
    }
  })

  it('that claim something name the page, over https', () => {
    expect(PACKAGE_IDS.filter(id => PACKAGES[id].citation === null)).toEqual(['keep the chain'])
    for (const id of PACKAGE_IDS)
      for (const link of Object.values(PACKAGES[id].citation?.links ?? {})) {
        expect(new URL(link).protocol).toBe('https:')
        expect(new URL(link).pathname.length, 'a page, not a whole site').toBeGreaterThan(3)
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
