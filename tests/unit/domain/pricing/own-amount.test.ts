import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES } from '#domain/money/currency.ts'
import { DEFAULT_TAX_RATES } from '#domain/money/tax.ts'
import { briefEntry } from '#domain/pricing/offer.ts'
import {
  isMostOwn,
  OWN_PACKAGE,
  ownEntries,
  ownPrices,
  ownRange,
  readOwnAmount,
} from '#domain/pricing/own-amount.ts'
import { quote } from '#domain/pricing/quote.ts'
import { reachableSupports } from '#domain/support/slider.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'

const offer = firstOffer()

describe('an own amount', () => {
  it('lies between the lowest package of any list and the limit of its market', () => {
    expect(ownRange(offer, 'EUR', 500)).toEqual([2, 500])
    expect(ownRange(offer, 'USD', 2)).toEqual([2, 2])
    expect(ownRange(offer, 'EUR', 1)).toBeUndefined()
    expect(ownRange(offer, 'EUR', 0)).toBeUndefined()
  })

  it.each([
    ['2', 2],
    [' 65 ', 65],
    ['65.00', 65],
    ['65,0', 65],
    ['500', 500],
    ['0500', 500],
  ])('is read as it is typed: %s', (typed, units) => {
    expect(readOwnAmount(typed, [2, 500])).toBe(units)
  })

  it.each(['', ' ', '1', '501', '65.5', '65,01', '-5', '5e2', '1 000', '€5', '٥', '9'.repeat(400)])(
    'is not: %s',
    typed => {
      expect(readOwnAmount(typed, [2, 500])).toBeUndefined()
    },
  )

  it('costs what was typed and what the slider gives, to the cent, in each currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 500 }),
        fc.constantFrom(...CURRENCIES),
        fc.nat(),
        (units, currency, place) => {
          const entry = briefEntry(ownPrices(units), OWN_PACKAGE, currency)
          expect(ownEntries(units * 100, [2, 500])).toEqual([entry])
          const supports = reachableSupports(entry)
          const supportAmount = supports[place % supports.length]!
          const asked = { packageId: OWN_PACKAGE, ngoAmount: units * 100, supportAmount, currency }
          const { total, ngo, support, net, tax } = quote([entry], asked, DEFAULT_TAX_RATES)
          expect([ngo.amount, total.amount]).toEqual([units * 100, units * 100 + supportAmount])
          expect(net.amount + tax.amount).toBe(support.amount)
        },
      ),
    )
  })

  it('is sold as whole units within the range alone', () => {
    for (const amount of [0, 100, 199, 201, 50_001, 50_100, -200, 250.5, Number.NaN])
      expect(ownEntries(amount, [2, 500])).toEqual([])
    expect(ownEntries(200, undefined)).toEqual([])
    expect([0, 1, 500, 100_000].every(isMostOwn)).toBe(true)
    expect([-1, 0.5, 100_001, Number.NaN].some(isMostOwn)).toBe(false)
  })
})
