import type { Language } from '../languages.ts'
import { CURRENCY_SIGNS } from './currency.ts'
import { MINOR_UNITS_PER_UNIT, type Money } from './money.ts'

/** `when-needed` leaves the cents out of a whole amount; `never` rounds to the nearest unit. */
export type Cents = 'always' | 'never' | 'when-needed'

/**
 * An amount as a person reads it, in the page's language and with the product's own sign (product.md#money):
 * `€1,234.50`, `1.234,50 €`. Spaces inside are no-break spaces of the language.
 */
export function formatMoney({ amount, currency }: Money, language: Language, cents: Cents): string {
  const whole = cents === 'never' || (cents === 'when-needed' && amount % MINOR_UNITS_PER_UNIT === 0)
  return formatterFor(language, currency, whole ? 0 : 2)
    .formatToParts(amount / MINOR_UNITS_PER_UNIT)
    .map(({ type, value }) => (type === 'currency' ? CURRENCY_SIGNS[currency] : value))
    .join('')
}

/** Formatters are costly to make, and there are only a few dozen of them. */
const formatters = new Map<string, Intl.NumberFormat>()

function formatterFor(language: Language, currency: Money['currency'], digits: 0 | 2): Intl.NumberFormat {
  const key = `${language} ${currency} ${digits}`
  const made = formatters.get(key) ?? makeFormatter(language, currency, digits)
  formatters.set(key, made)
  return made
}

function makeFormatter(language: Language, currency: Money['currency'], digits: 0 | 2): Intl.NumberFormat {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // Spanish leaves four-digit numbers ungrouped by default; amounts are grouped alike in every language.
    useGrouping: 'always',
  })
}
