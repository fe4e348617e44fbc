import { type Currency, defaultCurrency, isCurrency } from '#domain/money/currency.ts'
import { oneOf } from '#screens/shared/storage/persisted.ts'
import { CURRENCY_KEY } from '#wire/browser-names.ts'
import { choice, chosenHere } from './choice.ts'

/** How a currency is kept. */
export const CURRENCY = oneOf(isCurrency)

/** The currency the visitor chose; undefined while the browser's languages decide. */
export const $currency = choice<Currency | undefined>(CURRENCY_KEY, undefined, CURRENCY)

/** The currency that amounts are shown and paid in. */
export function currencyFor(browserLanguages: readonly string[]): Currency {
  return $currency.get() ?? defaultCurrency(browserLanguages)
}

/** The same for a screen on which nobody chooses a currency: it needs no store. */
export function keptCurrency(browserLanguages: readonly string[]): Currency {
  return chosenHere(CURRENCY_KEY, CURRENCY) ?? defaultCurrency(browserLanguages)
}
