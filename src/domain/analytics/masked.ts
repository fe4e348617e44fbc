import { KEY_LENGTH } from '../card/keys.ts'

/** A letter of a key that stands in an address as its code. */
const CODED_LETTER = /%(?:3[2-7]|[46][1-9a-f]|[57][0-9a])/gi
/** Where a key may begin and end. Behind `%2F` one begins like behind a slash. */
const BEGINS = '(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))'
const ENDS = '(?![A-Za-z0-9])'
/** Dashes, and what is not seen at all; in an address a byte of anything beyond ASCII. */
const DASH = '(?:[\\p{Pd}\\p{Cf}\\u2212]|%2D|%[89A-F][0-9A-F])'
/** No two of these are the same character: a text that is long and fits in many ways would take for ever. */
const SPACE = `(?:[^\\S\\ufeff]|\\+|%20|%0[9AD]|${DASH})`
/** A word of a key's letters, as many as a key has, broken anywhere by dashes. */
const KEY_LONG = new RegExp(
  `${BEGINS}[A-Za-z2-7](?:${DASH}{0,12}[A-Za-z2-7]){${KEY_LENGTH - 1}}${ENDS}`,
  'giu',
)
/**
 * The same in groups with spaces between, as it is printed, told and copied. Only groups of one size: the words of a
 * sentence have as many letters now and then.
 */
const KEYS_IN_GROUPS = [2, 4, 8, 16].map(
  size =>
    new RegExp(
      `${BEGINS}(?:[A-Za-z2-7]{${size}}${SPACE}{1,12}){${KEY_LENGTH / size - 1}}[A-Za-z2-7]{${size}}${ENDS}`,
      'giu',
    ),
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
  const withKeys = text
    .replace(CODED_LETTER, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(KEY_LONG, word => (word.length > KEY_LENGTH || isKeyLike(word) ? '[key]' : word))
  return KEYS_IN_GROUPS.reduce((masking, groups) => masking.replace(groups, '[key]'), withKeys)
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
