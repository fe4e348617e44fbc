import { type CardTerm, DEFAULT_TERM } from './card/term.ts'
import { type Language, perLanguage } from './languages.ts'
import { CURRENCIES, type Currency } from './money/currency.ts'

/**
 * What the operator sets for the buyers who pay in one currency (product.md#markets). Where a visitor lives is not known,
 * and the currency is chosen: it is the market.
 */
export interface Market extends CardTerm {
  /** Says the last day in the operator's own words, with `{{date}}` in its place; blank: the product's own words. */
  readonly lastDayWords: Readonly<Record<Language, string>>
}

export type Markets = Readonly<Record<Currency, Market>>

/** Where the operator sets nothing. */
export const DEFAULT_MARKET: Market = { ...DEFAULT_TERM, lastDayWords: perLanguage(() => '') }

/** The same thing for each market. */
export const perMarket = <T>(valueFor: (currency: Currency) => T): Readonly<Record<Currency, T>> =>
  Object.fromEntries(CURRENCIES.map(currency => [currency, valueFor(currency)])) as Record<Currency, T>

/** What the operator's own words of the last day must hold. */
export const DATE_PLACE = '{{date}}'

/** The money is never kept, so nothing of it expires: in no language may the words say so. */
const SAYS_EXPIRED = /\b(?:expir|caduc|venc(?:e|im)|prescri|périm)/iu

/** What is wrong with the operator's words for the last day; undefined when nothing is. */
export function amissInLastDayWords(
  words: string,
): 'no-date' | 'other-place' | 'expires' | 'too-long' | undefined {
  if (words.trim() === '') return undefined
  if (words.split(DATE_PLACE).length !== 2) return 'no-date'
  // No other place is ever filled: it would be left blank on the page, and be read as it stands in a mail.
  if (/\{\{|\}\}/.test(words.replace(DATE_PLACE, ''))) return 'other-place'
  if (SAYS_EXPIRED.test(words)) return 'expires'
  // It stands on a folded card of paper, in two lines.
  return words.length > 140 ? 'too-long' : undefined
}

/** The operator's sentence for a last day, or the product's own. */
export function lastDayWords(
  { lastDayWords: own }: Pick<Market, 'lastDayWords'>,
  language: Language,
  date: string,
  otherwise: string,
): string {
  const words = own[language].trim()
  return words === '' ? otherwise : words.replace(DATE_PLACE, date)
}
