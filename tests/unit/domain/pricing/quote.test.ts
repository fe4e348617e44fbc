import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { giftEntries } from '#domain/pricing/offer.ts'
import { PACKAGES } from '#domain/pricing/packages.ts'
import { type QuoteRequest, quote as quoteFrom } from '#domain/pricing/quote.ts'
import { STRATEGIES } from '#domain/pricing/strategies.ts'
import { isProblem } from '#domain/problems.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'
import { thrownBy } from '#tests/builders/domain.ts'
import { count } from '#tests/support/counts.ts'

const offer = firstOffer()
const quote = (request: QuoteRequest) =>
  quoteFrom(giftEntries(offer, request.currency), request, { taxShare: 21, vatRate: 21 })

/**
 * What may be bought, worked out from the numbers of the specification and not from the product's tables:
 * `package ngo support`, in whole units.
 */
const sold = new Set<string>()
const ids = ['keep the chain', 'their food', 'their water', 'their homes', 'their lifes']
for (const prices of [
  [2, 20, 50, 70, 120],
  [5, 50, 100, 200, 300],
]) {
  for (const [index, ngo] of prices.entries()) {
    const step = Math.min(ngo, 10)
    for (let position = 0; position <= 100; position += step) {
      sold.add(`${ids[index]} ${ngo} ${Number((BigInt(ngo) * BigInt(position)) / 100n)}`)
    }
  }
}

const isSold = (packageId: string, ngoAmount: number, supportAmount: number) =>
  ngoAmount % 100 === 0 &&
  supportAmount % 100 === 0 &&
  sold.has(`${packageId} ${ngoAmount / 100} ${supportAmount / 100}`)

const refusal = (packageId: string, ngoAmount: number, supportAmount: number) => {
  const error = thrownBy(() => quote({ packageId, ngoAmount, supportAmount, currency: 'EUR' }))
  return isProblem(error) ? error.code : error
}

describe('a quote', () => {
  it('says where each cent goes', () => {
    expect(
      quote({ packageId: 'their water', ngoAmount: 5000, supportAmount: 1500, currency: 'EUR' }),
    ).toEqual({
      packageId: 'their water',
      ngo: money(5000, 'EUR'),
      support: money(1500, 'EUR'),
      net: money(1185, 'EUR'),
      tax: money(315, 'EUR'),
      // 21 parts of 121: what is shown is 21 of 100.
      vat: money(260, 'EUR'),
      vatRate: 21,
      total: money(6500, 'EUR'),
    })
  })

  it('takes every support that the slider reaches, in each strategy and currency', () => {
    for (const line of sold) {
      const [, packageId, ngo, support] = /^(.*) (\d+) (\d+)$/.exec(line)!
      for (const currency of CURRENCIES) {
        const amounts = { ngoAmount: Number(ngo) * 100, supportAmount: Number(support) * 100 }
        const { total, net, tax } = quote({ packageId: packageId!, ...amounts, currency })
        expect(total).toEqual(money(amounts.ngoAmount + amounts.supportAmount, currency))
        expect(net.amount + tax.amount).toBe(amounts.supportAmount)
      }
    }
  })

  it('refuses every other whole support for every listed amount', () => {
    for (const { packageId, ngoAmount } of Object.values(STRATEGIES).flat()) {
      for (let support = -100; support <= ngoAmount + 1000; support += 50) {
        const wanted = isSold(packageId, ngoAmount, support) ? undefined : 'price-not-listed'
        expect(refusal(packageId, ngoAmount, support)).toBe(wanted)
      }
    }
  })

  it('refuses any amount that is not in the tables', () => {
    const anyPackage = fc.oneof(fc.constantFrom(...Object.keys(PACKAGES)), fc.string())
    const anyAmount = fc.oneof(
      fc.integer({ min: -500, max: 40_000 }),
      fc.integer({ min: 0, max: 300 }).map(units => units * 100),
      fc.double(),
    )
    fc.assert(
      fc.property(anyPackage, anyAmount, anyAmount, (packageId, ngoAmount, supportAmount) => {
        const wanted = isSold(packageId, ngoAmount, supportAmount) ? undefined : 'price-not-listed'
        expect(refusal(packageId, ngoAmount, supportAmount)).toBe(wanted)
      }),
      { numRuns: count({ usual: 2_000, long: 100_000 }) },
    )
  })

  it.each([
    ['their water', 2000, 0, 'the price of another package'],
    ['keep the chain', 5000, 0, 'the price of another package'],
    ['their lives', 12_000, 0, 'an id that is no package’s'],
    ['constructor', 200, 0, 'a name that every object has'],
    ['keep the chain', 200, 150, 'a support between two steps'],
    ['their water', 5000, 5500, 'a support beyond the slider’s end'],
    ['their water', 5000, -500, 'a negative support'],
    ['their water', 5000, Number.NaN, 'no number'],
    ['their water', 0, 0, 'nothing'],
  ])('refuses %s for %d with %d: %s', (packageId, ngoAmount, supportAmount) => {
    expect(refusal(packageId, ngoAmount, supportAmount)).toBe('price-not-listed')
  })

  it('keeps supports of one strategy out of another’s amount', () => {
    // 5 to the organisations stands in the American strategy only; 2 of support is no step of the French 120.
    expect(refusal('their lifes', 12_000, 200)).toBe('price-not-listed')
    expect(refusal('their lifes', 30_000, 1200)).toBe('price-not-listed')
  })
})
