import { FEWEST_OF_MANY, type GiftRow, MOST_OF_MANY, type ReadList } from '../card/gift-rows.ts'
import { type Currency, isCurrency } from '../money/currency.ts'
import type { PricingEntry } from '../pricing/strategies.ts'
import { entryOfTyped, type OnSale, supportOf, wholeNumber } from '../pricing/typed-price.ts'
import { readMessage } from './message.ts'
import { isSenderNameTooLong } from './sender-name.ts'

/** The fields of the form by which many cards are bought, as the form calls them. The file of a list is beside them. */
export const MANY_FIELDS = [
  'currency',
  'amount',
  'support',
  'count',
  'list',
  'theme',
  'sender',
  'message',
  'fallback',
] as const

export type ManyField = (typeof MANY_FIELDS)[number]

/** What was written, exactly as it was; '' for what is missing. */
export type WrittenMany = Readonly<Record<ManyField, string>>

/** Why a field has to be written otherwise. */
export type ManyFault =
  | { readonly field: 'amount'; readonly rule: 'range' }
  | { readonly field: 'sender'; readonly rule: 'too-long' }
  | { readonly field: 'message'; readonly rule: 'words' }
  | { readonly field: 'list'; readonly rule: 'lines' | 'too-many' }
  | { readonly field: 'count'; readonly rule: 'range' | 'fewer-than-rows' }

/** Many cards as they can be bought, amounts of one card in minor units. */
export interface ManyChoice {
  readonly entry: PricingEntry
  readonly supportAmount: number
  readonly currency: Currency
  readonly message: string | null
  readonly cards: number
  /** As many as there are cards; none where nothing is said of any. */
  readonly rows: readonly GiftRow[]
}

/** The currency of the form; the first where it says none that there is. */
export const currencyOf = ({ currency }: Pick<WrittenMany, 'currency'>, unsaid: Currency): Currency =>
  isCurrency(currency) ? currency : unsaid

/**
 * Reads what was written, and says all that has to be written otherwise, in the order of the form. An amount is one of the buyer's own, or that of a
 * package where none else is sold. A number of cards can be left out where there is a list, and may be larger than the list:
 * of the cards behind it nothing is said.
 * @param list what the list was read as
 */
export function readMany(
  written: WrittenMany,
  list: ReadList,
  currency: Currency,
  onSale: OnSale,
): { readonly choice: ManyChoice } | { readonly faults: readonly ManyFault[] } {
  const faults: ManyFault[] = []
  const entry = entryOfTyped(written.amount, currency, onSale)
  if (entry === undefined) faults.push({ field: 'amount', rule: 'range' })
  const { rows } = list
  if (list.bad.length > 0) faults.push({ field: 'list', rule: 'lines' })
  const isTooMany = list.isTooLong === true || rows.length > MOST_OF_MANY
  if (isTooMany) faults.push({ field: 'list', rule: 'too-many' })
  const cards = written.count.trim() === '' ? rows.length : wholeNumber(written.count)
  // With a list that has to be mended nobody knows yet how many it is of.
  const isCounted = written.count.trim() !== '' || list.bad.length === 0
  if (isCounted && !(cards >= FEWEST_OF_MANY && cards <= MOST_OF_MANY) && !isTooMany)
    faults.push({ field: 'count', rule: 'range' })
  else if (isCounted && cards < rows.length) faults.push({ field: 'count', rule: 'fewer-than-rows' })
  if (isSenderNameTooLong(written.sender)) faults.push({ field: 'sender', rule: 'too-long' })
  const message = readMessage(written.message)
  if ('rule' in message) faults.push({ field: 'message', rule: 'words' })
  if (entry === undefined || 'rule' in message || faults.length > 0) return { faults }
  const choice = {
    entry,
    supportAmount: supportOf(entry, Number(written.support)),
    currency,
    message: message.words,
    cards,
    rows: rows.length === 0 ? [] : filled(rows, cards),
  }
  return { choice }
}

const filled = (rows: readonly GiftRow[], cards: number): readonly GiftRow[] =>
  Array.from({ length: cards }, (_, n) => rows[n] ?? { name: null, words: null })
