import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { splitTax, TAX_SHARE } from '#domain/money/tax.ts'
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
  ])('of %i minor units is %i', (support, tax) => {
    expect(splitTax(money(support, 'EUR'))).toEqual({
      net: money(support - tax, 'EUR'),
      tax: money(tax, 'EUR'),
    })
  })

  it('is 21 %', () => {
    expect(TAX_SHARE).toBe(0.21)
  })

  it('is rounded to the nearest minor unit, half upwards, for any amount (in exact integers)', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), amount => {
        const { net, tax } = splitTax(money(amount, 'GBP'))
        const doubled = BigInt(amount) * 42n
        expect(BigInt(tax.amount)).toBe((doubled + 100n) / 200n)
        expect(BigInt(net.amount) + BigInt(tax.amount)).toBe(BigInt(amount))
        expect([net.currency, tax.currency]).toEqual(['GBP', 'GBP'])
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it('refuses a negative amount', () => {
    expect(() => splitTax(money(-1, 'EUR'))).toThrow(RangeError)
  })
})
