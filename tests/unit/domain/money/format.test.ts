import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { CURRENCIES, CURRENCY_SIGNS } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import { money } from '#domain/money/money.ts'
import { count } from '#tests/support/counts.ts'

/** No-break spaces, wide and narrow, as plain ones. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe('an amount as a person reads it', () => {
  it.each([
    ['es', 'EUR', '1.234,50 €'],
    ['es', 'USD', '1.234,50 $'],
    ['es', 'CAD', '1.234,50 C$'],
    ['es', 'GBP', '1.234,50 £'],
    ['en', 'EUR', '€1,234.50'],
    ['en', 'USD', '$1,234.50'],
    ['en', 'CAD', 'C$1,234.50'],
    ['en', 'GBP', '£1,234.50'],
    ['fr', 'EUR', '1 234,50 €'],
    ['fr', 'USD', '1 234,50 $'],
    ['fr', 'CAD', '1 234,50 C$'],
    ['fr', 'GBP', '1 234,50 £'],
  ] as const)('is, in %s and %s, %s', (language, currency, text) => {
    expect(plain(formatMoney(money(123_450, currency), language, 'always'))).toBe(text)
  })

  it('shows cents always, never, or when there are some', () => {
    const shown = (amount: number, cents: 'always' | 'never' | 'when-needed') =>
      formatMoney(money(amount, 'USD'), 'en', cents)
    expect([shown(5000, 'always'), shown(5000, 'never'), shown(5000, 'when-needed')]).toEqual([
      '$50.00',
      '$50',
      '$50',
    ])
    expect([shown(5010, 'always'), shown(5010, 'never'), shown(5010, 'when-needed')]).toEqual([
      '$50.10',
      '$50',
      '$50.10',
    ])
  })

  it('writes a negative amount with its sign', () => {
    expect(formatMoney(money(-250, 'GBP'), 'en', 'always')).toBe('-£2.50')
  })

  it('says exactly the minor units and the currency, and nothing else, in every language', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 13 })
    fc.assert(
      fc.property(
        amount,
        fc.constantFrom(...LANGUAGES),
        fc.constantFrom(...CURRENCIES),
        (minor, language, currency) => {
          const text = formatMoney(money(minor, currency), language, 'always')
          expect(text.replace(/\D/g, '')).toBe(String(minor).padStart(3, '0'))
          expect(text.replace(/[\d\s.,]/g, '')).toBe(CURRENCY_SIGNS[currency])
        },
      ),
      { numRuns: count({ usual: 500, long: 100_000 }) },
    )
  })

  it('never reads the same in two currencies', () => {
    for (const language of LANGUAGES) {
      const texts = CURRENCIES.map(currency => formatMoney(money(5000, currency), language, 'when-needed'))
      expect(new Set(texts).size).toBe(CURRENCIES.length)
    }
  })
})
