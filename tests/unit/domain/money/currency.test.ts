import { describe, expect, it } from 'vitest'
import { CURRENCIES, CURRENCY_SIGNS, defaultCurrency, isCurrency } from '#domain/money/currency.ts'

describe('the currency a visitor starts with', () => {
  it.each([
    [['es'], 'EUR'],
    [['es-MX'], 'EUR'],
    [['en-GB'], 'GBP'],
    [['en-gb'], 'GBP'],
    [['en_GB'], 'GBP'],
    [['en'], 'USD'],
    [['en-US'], 'USD'],
    [['en-AU'], 'USD'],
    [['en-CA'], 'CAD'],
    [['fr-CA'], 'CAD'],
    [['zh-Hant-CA'], 'CAD'],
    [['ca'], 'EUR'],
    [['ca-ES'], 'EUR'],
    [['fr'], 'EUR'],
    [['ja'], 'EUR'],
    [['en-x-ca'], 'USD'],
    [['en-US-u-rg-cazzzz'], 'USD'],
    [[], 'EUR'],
    [['', '*', 'en-GB'], 'GBP'],
    [['fr', 'en-US'], 'EUR'],
    [['en-US', 'fr-CA'], 'USD'],
  ])('is, for %j, %s', (languages, currency) => {
    expect(defaultCurrency(languages)).toBe(currency)
  })
})

describe('the currencies', () => {
  it('have a sign each, and no two the same', () => {
    expect(CURRENCIES.map(currency => CURRENCY_SIGNS[currency])).toEqual(['€', '$', 'C$', '£'])
  })

  it('know their own codes only', () => {
    expect(CURRENCIES.every(isCurrency)).toBe(true)
    expect(['eur', 'JPY', '', null, 'toString'].some(isCurrency)).toBe(false)
  })
})
