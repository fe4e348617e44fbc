import { KEY_LENGTH } from '../card/keys.ts'

/** A word as long as a key and of its letters, in any case. Behind `%2F` one begins like behind a slash. */
const KEY_LONG = new RegExp(
  `(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))[A-Za-z2-7]{${KEY_LENGTH}}(?![A-Za-z0-9])`,
  'g',
)
/** A key as it is printed and told: in groups of four. */
const KEY_IN_GROUPS = new RegExp(
  `(?<![A-Za-z0-9])(?:[A-Za-z2-7]{4}(?:[\\s\\p{Pd}]|%20){1,3}){${KEY_LENGTH / 4 - 1}}[A-Za-z2-7]{4}(?![A-Za-z0-9])`,
  'gu',
)
const SESSION = /\bcs_(?:test_|live_)?[A-Za-z0-9_]+/g
const SECRET = /\b(?:(?:sk|rk)_(?:test|live)_|whsec_)[A-Za-z0-9_-]+/g
/** What an address cannot hold ends a word. */
const WORD = /[^\s<>"'(),:;]+/g
const AT = /@|%40/gi
/**
 * What follows the sign of an address: a name with a dot. It ends before the next sign, so that a text is read once
 * however many signs it has; and at a backslash, which in JSON begins what stands for the next character.
 */
const DOMAIN = /(?:[^@%.\\]|%(?!40))+\.[^@/?&\\]+/y

/**
 * Takes card keys, Checkout session ids, provider secrets and e-mail addresses out of a text. The time it takes grows
 * as the text does, whatever the text is: visitors write some of them.
 */
export function masked(text: string): string {
  return text
    .replace(KEY_LONG, word => (isKeyLike(word) ? '[key]' : word))
    .replace(KEY_IN_GROUPS, '[key]')
    .replace(SESSION, '[session]')
    .replace(SECRET, '[secret]')
    .replace(WORD, withoutAddresses)
}

/**
 * A key opens its card in any case: keyboards and mail programs capitalise one, or its first letter. The long name of an error
 * mixes cases without a digit, as one in a thousand keys does.
 */
function isKeyLike(word: string): boolean {
  const lower = word.toLowerCase()
  return /[2-7]/.test(word) || word === word.toUpperCase() || word.slice(1) === lower.slice(1)
}

/** A word (see `WORD`) with `[address]` for everything up to the end of an address in it. */
function withoutAddresses(word: string): string {
  if (!word.includes('@') && !word.includes('%40')) return word
  let kept = ''
  /** Where the rest begins, and where the name before the next sign does. */
  let rest = 0
  let name = 0
  for (const { 0: sign, index } of word.matchAll(AT)) {
    if (index < rest) continue
    DOMAIN.lastIndex = index + sign.length
    if (index > name && DOMAIN.test(word)) {
      kept += `${word.slice(rest, name)}[address]`
      rest = DOMAIN.lastIndex
      name = rest
    } else if (sign === '@') name = index + 1
  }
  return kept + word.slice(rest)
}

/** The same for plain data, word by word: what is masked in a JSON text may end in the middle of an escape. */
export function maskedData(data: unknown): unknown {
  if (typeof data === 'string') return masked(data)
  if (Array.isArray(data)) return data.map(maskedData)
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [masked(key), maskedData(value)]))
}
