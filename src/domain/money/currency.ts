import { readLanguageTag } from '../language-tags.ts'

export const CURRENCIES = ['EUR', 'USD', 'CAD', 'GBP'] as const

export type Currency = (typeof CURRENCIES)[number]

/** The product's own signs, each different from the others (product.md#money). */
export const CURRENCY_SIGNS: Readonly<Record<Currency, string>> = { EUR: '€', USD: '$', CAD: 'C$', GBP: '£' }

/** Where nothing says another (product.md#money). */
export const DEFAULT_CURRENCY: Currency = 'EUR'

/** Is this the code of a currency of the product, in upper case? */
export function isCurrency(value: unknown): value is Currency {
  return (CURRENCIES as readonly unknown[]).includes(value)
}

/**
 * The currency that a visitor starts with, from the browser's languages, most wanted first (product.md#money).
 * The first readable tag decides: any language of Canada → CAD, `en-GB` → GBP, other English → USD, else EUR.
 */
export function defaultCurrency(browserLanguages: readonly string[]): Currency {
  for (const text of browserLanguages) {
    const tag = readLanguageTag(text)
    if (!tag) continue
    if (tag.region === 'CA') return 'CAD'
    if (tag.language !== 'en') return DEFAULT_CURRENCY
    return tag.region === 'GB' ? 'GBP' : 'USD'
  }
  return DEFAULT_CURRENCY
}
