import { KEY_LENGTH } from '../card/keys.ts'

/** Keys are read in upper case too; a long name of an error in mixed case is none. Behind `%2F` one begins like behind a slash. */
const CARD_KEY = new RegExp(
  `(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))(?:[a-z2-7]{${KEY_LENGTH}}|[A-Z2-7]{${KEY_LENGTH}})(?![A-Za-z0-9])`,
  'g',
)
const SESSION = /\bcs_(?:test_|live_)?[A-Za-z0-9_]+/g
const SECRET = /\b(?:(?:sk|rk)_(?:test|live)_|whsec_)[A-Za-z0-9_-]+/g
/** Behind the @ no backslash: in JSON it begins what stands for the next character, which must stay whole. */
const MAIL = /[^\s@<>"'(),:;]+(?:@|%40)[^\s@<>"'(),:;\\]+\.[^\s@<>"'(),:;/?&\\]+/gi

/** Takes card keys, Checkout session ids, provider secrets and e-mail addresses out of a text (decisions §3, §11). */
export function masked(text: string): string {
  return text
    .replace(CARD_KEY, '[key]')
    .replace(SESSION, '[session]')
    .replace(SECRET, '[secret]')
    .replace(MAIL, '[address]')
}

/** The same for plain data, word by word: what is masked in a JSON text may end in the middle of an escape. */
export function maskedData(data: unknown): unknown {
  if (typeof data === 'string') return masked(data)
  if (Array.isArray(data)) return data.map(maskedData)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [masked(key), maskedData(value)]))
}
