import { readKey } from '../card/keys.ts'
import { isDay } from '../days.ts'
import { HOUR_MS } from '../durations.ts'
import { isMailAddress } from '../mail/address.ts'
import { CURRENCIES, CURRENCY_SIGNS, type Currency } from '../money/currency.ts'
import { type DocumentNumber, readNumber } from '../payment/document-number.ts'

/** The longest text that can be searched for: no address and no id is longer. */
export const LONGEST_SEARCH = 320

/** What an operator has typed or pasted to find a gift by. */
export type Search =
  /** The id of a row of ours: a card, an order or a payout to an organisation. */
  | { readonly kind: 'row'; readonly id: string }
  /** An id of the payment provider. */
  | { readonly kind: ProviderThing; readonly id: string }
  | { readonly kind: 'address'; readonly address: string }
  /** The number of an invoice, a receipt or a certificate; of its letters none have to be there. */
  | ({ readonly kind: 'document' } & DocumentNumber)
  /** What somebody paid on a day. The amount is in minor units; the times are epoch ms UTC, the end is excluded. */
  | {
      readonly kind: 'payment'
      readonly amount: number
      readonly currency: Currency
      readonly from: number
      readonly to: number
    }
  /** An amount without everything that it takes to look for it. */
  | { readonly kind: 'part-of-payment'; readonly lacks: readonly ('currency' | 'day')[] }
  | { readonly kind: 'name'; readonly words: string }
  /** A key opens a gift: it is never looked for, and nothing of it is kept. */
  | { readonly kind: 'key' }
  | { readonly kind: 'nothing' }

export type ProviderThing = 'session' | 'intent' | 'charge' | 'refund' | 'dispute' | 'provider-payout'

/** One question to the database, or to the payment provider. */
export type LookUp =
  | 'cards-by-id'
  | 'order-by-id'
  | 'payout-by-id'
  | 'order-of-session'
  | 'order-of-charge'
  | 'order-of-intent'
  | 'order-of-document'
  | 'movement-of-source'
  | 'parts-of-provider-payout'
  | 'cards-by-address'
  | 'orders-by-amount'
  | 'organisations-by-name'
  /** Those whose link was mailed to an address, or is to be. */
  | 'cards-mailed-to'

/** Which look-ups follow from what was typed. Each one reads by an index. */
export const LOOK_UPS: Readonly<Record<Search['kind'], readonly LookUp[]>> = {
  row: ['cards-by-id', 'order-by-id', 'payout-by-id'],
  session: ['order-of-session'],
  intent: ['order-of-intent'],
  charge: ['order-of-charge', 'movement-of-source'],
  refund: ['movement-of-source'],
  dispute: ['movement-of-source'],
  'provider-payout': ['parts-of-provider-payout'],
  address: ['cards-by-address', 'cards-mailed-to'],
  document: ['order-of-document'],
  payment: ['orders-by-amount'],
  'part-of-payment': [],
  name: ['organisations-by-name'],
  key: [],
  nothing: [],
}

/** Ten letters of time and sixteen of chance, as the database makes its ids. */
const ROW = /^[0-9abcdefghjkmnpqrstvwxyz]{26}$/

/** How the payment provider's ids begin. Some things have two beginnings, by the way of paying. */
const PROVIDER: readonly (readonly [RegExp, ProviderThing])[] = [
  [/^cs_(?:test|live)_[A-Za-z0-9]{8,240}$/, 'session'],
  [/^pi_[A-Za-z0-9]{3,240}$/, 'intent'],
  [/^(?:ch|py)_[A-Za-z0-9]{3,240}$/, 'charge'],
  [/^(?:re|pyr)_[A-Za-z0-9]{3,240}$/, 'refund'],
  [/^(?:dp|du|pdp)_[A-Za-z0-9]{3,240}$/, 'dispute'],
  [/^po_[A-Za-z0-9]{3,240}$/, 'provider-payout'],
]

/** What surrounds something that was copied, beside spaces. */
const AROUND = new Set('"\'“”«»<>()[],;')

/** A text without what surrounds it. At its end stand full stops and colons too. */
function bare(text: string): string {
  const isAround = (letter: string | undefined, more = '') =>
    letter !== undefined && (letter.trim() === '' || AROUND.has(letter) || more.includes(letter))
  let [from, to] = [0, text.length]
  while (from < to && isAround(text[from])) from++
  while (to > from && isAround(text[to - 1], '.:')) to--
  return text.slice(from, to)
}

/** Recognizes what was typed. Nothing is looked up here; `LOOK_UPS` says what follows. */
export function readSearch(typed: string): Search {
  const text = bare(typed.trim().replace(/^mailto:/i, ''))
  if (text === '' || text.length > LONGEST_SEARCH) return { kind: 'nothing' }
  if (holdsKey(text)) return { kind: 'key' }
  const row = text.toLowerCase()
  if (ROW.test(row)) return { kind: 'row', id: row }
  const [, thing] = PROVIDER.find(([shape]) => shape.test(text)) ?? []
  if (thing !== undefined) return { kind: thing, id: text }
  const document = readNumber(text)
  if (document) return { kind: 'document', ...document }
  if (isMailAddress(text)) return { kind: 'address', address: text }
  return readPayment(text) ?? readName(text)
}

/** A key alone, or a link that holds one: whoever is written to by a buyer pastes it soon enough. */
function holdsKey(text: string): boolean {
  return text.split(/[/?#=&\s]+/).some(part => readKey(part) !== undefined)
}

const DAY = /\b(\d{4})-(\d{2})-(\d{2})\b|\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/
const NUMBER = /^(\d{1,3}(?:[.,\s]\d{3})+|\d{1,9})(?:[.,](\d{1,2}))?$/

/** An amount with its currency and the day on which it was paid, in any order: `65 EUR 2026-11-21`, `21/11/2026 €65`. */
function readPayment(text: string): Search | undefined {
  const day = DAY.exec(text)
  const others = day ? text.replace(day[0], ' ') : text
  const [currency, rest] = takeCurrency(others)
  // What stands between the parts, a comma for example, belongs to none of them.
  const number = NUMBER.exec(bare(rest))
  if (!number) return undefined
  const from = day ? midnightOf(day) : undefined
  const lacks = [
    ...(currency === undefined ? (['currency'] as const) : []),
    ...(from === undefined ? (['day'] as const) : []),
  ]
  if (currency === undefined || from === undefined) return { kind: 'part-of-payment', lacks }
  const [, whole = '', cents = ''] = number
  const amount = Number(whole.replace(/\D/g, '')) * 100 + Number(cents.padEnd(2, '0'))
  // The day of a bank in Madrid begins up to two hours before the day in UTC, with which it ends.
  return { kind: 'payment', amount, currency, from: from - 2 * HOUR_MS, to: from + 24 * HOUR_MS }
}

function midnightOf([, y, m, d, day, month, year]: RegExpExecArray): number | undefined {
  const text = y ? `${y}-${m}-${d}` : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
  return isDay(text) ? Date.parse(`${text}T00:00:00Z`) : undefined
}

/** The longer signs come first: C$ is not a dollar. */
const SIGNS = CURRENCIES.map(currency => [CURRENCY_SIGNS[currency], currency] as const).toSorted(
  ([a], [b]) => b.length - a.length,
)

function takeCurrency(text: string): readonly [Currency | undefined, string] {
  const upper = text.toUpperCase()
  const code = CURRENCIES.find(currency => upper.split(/[^A-Z]+/).includes(currency))
  if (code !== undefined) return [code, upper.replace(code, ' ')]
  for (const [sign, currency] of SIGNS) if (upper.includes(sign)) return [currency, upper.replace(sign, ' ')]
  return [undefined, text]
}

const readName = (text: string): Search =>
  (text.match(/\p{L}/gu)?.length ?? 0) >= 2 ? { kind: 'name', words: text } : { kind: 'nothing' }

/** Texts as they are compared: without accents, in lower case. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Does a name hold every word that was typed, wherever it stands, whatever its accents? */
export function isNamed(name: string, words: string): boolean {
  const inName = plain(name)
  return plain(words)
    .split(/\s+/)
    .every(word => inName.includes(word))
}
