import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { DEFAULT_TAX_RATES, isTaxShare, isVatRate, splitTax, vatWithin } from '#domain/money/tax.ts'
import { count } from '#tests/support/counts.ts'

describe('the tax on the support amount', () => {
  it.each([
    [0, 0],
    [1500, 315],
    [100, 21],
    [1, 0],
    [2, 0],
    [3, 1],
    [50, 11],
    [150, 32],
    [12_000, 2520],
  ])('of %i minor units is %i at 21 %%', (support, tax) => {
    expect(splitTax(money(support, 'EUR'), 21)).toEqual({
      net: money(support - tax, 'EUR'),
      tax: money(tax, 'EUR'),
    })
  })

  it('is 21 % where nobody sets another one', () => {
    expect(DEFAULT_TAX_RATES.taxShare).toBe(21)
  })

  it('is rounded to the nearest minor unit, half upwards, for any amount and share (in exact integers)', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 100 }), (amount, share) => {
        const { net, tax } = splitTax(money(amount, 'GBP'), share)
        const doubled = BigInt(amount) * BigInt(2 * share)
        expect(BigInt(tax.amount)).toBe((doubled + 100n) / 200n)
        expect(BigInt(net.amount) + BigInt(tax.amount)).toBe(BigInt(amount))
        expect([net.currency, tax.currency]).toEqual(['GBP', 'GBP'])
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it('refuses a negative amount', () => {
    expect(() => splitTax(money(-1, 'EUR'), 21)).toThrow(RangeError)
  })
})

describe('the value added tax within an amount', () => {
  it.each([
    [12_100, 21, 2_100],
    [1_500, 21, 260],
    [1_000, 5.5, 52],
    [1_000, 0, 0],
    [1, 21, 0],
    [3, 21, 1],
  ])('of %i minor units at %d %% is %i', (amount, rate, vat) => {
    expect(vatWithin(money(amount, 'EUR'), rate)).toEqual(money(vat, 'EUR'))
  })

  it('is the nearest minor unit for any amount and rate', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.integer({ min: 0, max: 5_000 }), (amount, hundredths) => {
        const exactly = (amount * hundredths) / (10_000 + hundredths)
        expect(Math.abs(vatWithin(money(amount, 'EUR'), hundredths / 100).amount - exactly)).toBeLessThan(
          0.501,
        )
      }),
    )
  })
})

describe('the rates that an operator may set', () => {
  it('are whole percent of what is shown', () => {
    expect([0, 21, 100].every(isTaxShare)).toBe(true)
    expect([-1, 101, 5.5, Number.NaN].some(isTaxShare)).toBe(false)
  })

  it('are percent of VAT with two decimals at most', () => {
    expect([0, 5.5, 8.1, 20, 21, 0.07, 50].every(isVatRate)).toBe(true)
    expect([-1, 50.01, 9.975, Number.NaN].some(isVatRate)).toBe(false)
  })
})
