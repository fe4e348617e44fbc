import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addMoney,
  decimal,
  fromUnits,
  isMinorUnits,
  money,
  subtractMoney,
  zero,
} from '#domain/money/money.ts'
import { count } from '#tests/support/counts.ts'

describe('money', () => {
  it('is made of whole minor units with their currency', () => {
    expect(money(1999, 'GBP')).toEqual({ amount: 1999, currency: 'GBP' })
    expect(fromUnits(50, 'CAD')).toEqual({ amount: 5000, currency: 'CAD' })
    expect(zero('USD')).toEqual({ amount: 0, currency: 'USD' })
  })

  it.each([0.1, 19.99, Number.NaN, Infinity, 2 ** 53])('refuses %s', amount => {
    expect(isMinorUnits(amount)).toBe(false)
    expect(() => money(amount, 'EUR')).toThrow(RangeError)
  })

  it('refuses fractions of units, even where they make whole minor units', () => {
    expect(() => fromUnits(0.5, 'EUR')).toThrow(RangeError)
    expect(() => fromUnits(Number.MAX_SAFE_INTEGER, 'EUR')).toThrow(RangeError)
  })

  it('has no negative zero', () => {
    expect(Object.is(money(-0, 'EUR').amount, 0)).toBe(true)
  })

  it('takes back what it added', () => {
    const amount = fc.integer({ min: -(2 ** 50), max: 2 ** 50 })
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const sum = addMoney(money(a, 'EUR'), money(b, 'EUR'))
        expect(BigInt(sum.amount)).toBe(BigInt(a) + BigInt(b))
        expect(subtractMoney(sum, money(b, 'EUR'))).toEqual(money(a, 'EUR'))
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })

  it('never mixes two currencies', () => {
    expect(() => addMoney(money(1, 'EUR'), money(1, 'USD'))).toThrow(RangeError)
    expect(() => subtractMoney(money(1, 'CAD'), money(1, 'USD'))).toThrow(RangeError)
  })

  it('never leaves the range in which numbers are exact', () => {
    const most = money(Number.MAX_SAFE_INTEGER, 'EUR')
    expect(() => addMoney(most, money(1, 'EUR'))).toThrow(RangeError)
  })
})

describe('decimal', () => {
  it.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [123450, '1234.50'],
    [-100, '-1.00'],
    [Number.MAX_SAFE_INTEGER, '90071992547409.91'],
  ])('writes %d minor units as %s', (minor, text) => expect(decimal(minor)).toBe(text))

  it('refuses what is no whole number of minor units', () => {
    expect(() => decimal(0.5)).toThrow(RangeError)
    expect(() => decimal(Number.NaN)).toThrow(RangeError)
  })
})
