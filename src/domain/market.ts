import { type CardTerm, DEFAULT_TERM } from './card/term.ts'
import { LANGUAGES, type Language, perLanguage } from './languages.ts'
import { CURRENCIES, type Currency } from './money/currency.ts'
import { DEFAULT_TAX_RATES, type TaxRates } from './money/tax.ts'
import { USUAL_MOST_OWN } from './pricing/own-amount.ts'

/**
 * What the operator sets for the buyers who pay in one currency (product.md#markets). The currency stands for the
 * market, since the product does not know where a visitor lives.
 */
export interface Market extends CardTerm, TaxRates {
  /** Says the last day in the operator's own words, with `{{date}}` in its place; blank: the product's own words. */
  readonly lastDayWords: Readonly<Record<Language, string>>
  /** Whether buyers get a certificate for the tax office. */
  readonly receipts: Receipts
  /** What the certificate says of the operator's right to give one, in its own words; blank where it gives none. */
  readonly certificateWords: Readonly<Record<Language, string>>
  /** The amount from which a giver has to say who they are, in whole units; null means never (product.md#markets). */
  readonly identityFrom: number | null
  /** The highest amount that a buyer may type, in whole units; 0 where only packages are sold. */
  readonly mostOwn: number
}

/**
 * `none`: the site says that a gift is not tax-deductible for its buyer. `own`: the operator is itself an eligible donee, and
 * a buyer who asks for it gets a certificate (product.md#certificates).
 */
export const RECEIPTS = ['none', 'own'] as const
export type Receipts = (typeof RECEIPTS)[number]

const MOST_CERTIFICATE_WORDS = 600

/** Does a certificate say, in every language, by which law it is given? Without that the tax office takes none. */
export const areCertificateWords = (
  words: Readonly<Partial<Record<Language, string>>> | undefined,
): boolean =>
  LANGUAGES.every(language => {
    const text = words?.[language]?.trim() ?? ''
    return text !== '' && text.length <= MOST_CERTIFICATE_WORDS
  })

const HIGHEST_IDENTITY_AMOUNT = 1_000_000

/** Can donors be asked who they are from this amount on? Whole units, from 1 to the highest. */
export const isIdentityAmount = (units: number): boolean =>
  Number.isSafeInteger(units) && units >= 1 && units <= HIGHEST_IDENTITY_AMOUNT

export type Markets = Readonly<Record<Currency, Market>>

/** Where the operator sets nothing. */
export const DEFAULT_MARKET: Market = {
  ...DEFAULT_TERM,
  ...DEFAULT_TAX_RATES,
  lastDayWords: perLanguage(() => ''),
  receipts: 'none',
  certificateWords: perLanguage(() => ''),
  identityFrom: null,
  mostOwn: USUAL_MOST_OWN,
}

/** One value for each market. */
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
