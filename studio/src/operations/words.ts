import words from '../../../locales/en/polls.json'
import { type Currency, DAY_MS, DEFAULT_LANGUAGE, formatMoney } from '../product.ts'

/** An amount of minor units as an operator reads it: `€1,234.50`. */
export const amount = (minor: number, currency: string): string =>
  formatMoney({ amount: minor, currency: currency as Currency }, DEFAULT_LANGUAGE, 'always')

/** A number with its groups: `12,345`. */
export const number = (value: number): string => value.toLocaleString('en')

/** A part of a whole: `12 %`; a dash where there is no whole. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`

/** How long ago, in days: `today`, `1 day`, `40 days`. Both in epoch ms. */
export function age(since: number, now: number): string {
  const days = Math.floor((now - since) / DAY_MS)
  return days < 1 ? 'today' : days === 1 ? '1 day' : `${number(days)} days`
}

/** A moment where the operator is: `21 Nov 2026, 08:15`. */
export const moment = (at: number): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** `one card`, `2 cards`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  count === 1 ? `one ${one}` : `${number(count)} ${many}`

const JOBS: Readonly<Record<string, string>> = {
  'auto-donation': 'Cards whose last day is over are given away',
  certificate: 'The site’s certificate is looked at',
  'expire-orders': 'Unpaid orders are closed',
  'ledger-check': 'The books are checked',
  'organisation-links': 'The links of organisations are looked at',
  'photo-book': 'The photo book of the memorial is made',
  'provider-movements': 'Movements at the payment provider are booked',
  reconcile: 'Orders are compared with the payment account',
  reminders: 'Buyers are reminded of unused cards',
  sendings: 'Gifts are mailed on their day',
  retention: 'Old names, addresses and visits are deleted',
  'public-ledger': 'The public ledger is written',
  sealing: 'Rows from before there were seals get theirs',
  watch: 'A look at what needs a person',
  duties: 'The month’s mail of what is due',
  withdrawals: 'Withdrawals are refunded',
  witnesses: 'Witnesses are asked to sign the public ledger',
}

/** What a job does; its name where nothing is known of it. */
export const jobWords = (name: string): string => JOBS[name] ?? name

/** What came of a job: `donated 3, left 0`. */
export const resultWords = (result: Readonly<Record<string, string | number>>): string =>
  Object.entries(result)
    .map(([what, found]) => `${what} ${typeof found === 'number' ? number(found) : found}`)
    .join(', ')

/** A poll's question as visitors read it in English. */
export const questionWords = (poll: string, question: string): string =>
  said(`${poll}-${question}`) ?? question

/** An answer as visitors read it; what they wrote themselves, and numbers of a scale, stay as they are. */
export const answerWords = (question: string, value: string): string =>
  said(`poll-${question}-${value}`) ?? value

const said = (key: string): string | undefined => (words as Readonly<Record<string, string>>)[key]
