import { KEY_LENGTH } from '../card/keys.ts'

/** A letter of a key that stands in an address as its code. */
const CODED_LETTER = /%(?:3[2-7]|[46][1-9a-f]|[57][0-9a])/gi
/** Where a key may begin and end. A key may begin behind `%2F` as it may behind a slash. */
const BEGINS = '(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))'
const ENDS = '(?![A-Za-z0-9])'
/** A word of a key's letters, as many as a key has. */
const KEY = new RegExp(`${BEGINS}[A-Za-z2-7]{${KEY_LENGTH}}${ENDS}`, 'g')
/**
 * What a text is made of, where keys are looked for: what is not seen at all, dashes (in an address any byte beyond ASCII
 * may be one), spaces, words of a key's letters, and single characters of anything else. A sign of an address may be
 * coded once more. No two parts begin with the same character but for `%`, so that a text is read once.
 */
const PARTS = new RegExp(
  [
    '(?<unseen>\\p{Cf}|%(?:25){0,2}(?:E2%(?:25){0,2}8[01]%(?:25){0,2}(?:8[B-F]|A[0-9A-F])|EF%(?:25){0,2}BB%(?:25){0,2}BF|C2%(?:25){0,2}AD))',
    '(?<dash>[\\p{Pd}\\u2212]|%(?:25){0,2}(?:2D|[89A-F][0-9A-F]))',
    '(?<space>[^\\S\\ufeff]|\\+|%(?:25){0,2}(?:20|2B|0[9A-D]))',
    '(?<code>%[0-9A-F]{2})',
    '(?<word>[A-Za-z0-9]+)',
    '(?<other>[^])',
  ].join('|'),
  'giu',
)
/** What breaks a key into pieces, and the letters of keys. */
const SOFT = 'A-Za-z0-9\\s\\p{Cf}\\p{Pd}\\u2212+%'
/** Where a broken key can stand: long enough for its letters and one gap. Elsewhere no part has to be looked at. */
const STRETCH = new RegExp(`(?<![${SOFT}])[${SOFT}]{${KEY_LENGTH + 1},}`, 'giu')
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
  const decoded = text.replace(CODED_LETTER, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  return withoutBrokenKeys(decoded)
    .replace(KEY, word => (isKeyLike(word) ? '[key]' : word))
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

/** Letters of a key that stand together, and what stands between them and those before. */
interface Group {
  readonly begin: number
  end: number
  letters: string
  /** Of all that stands before it: a space is more than a dash, and a dash more than what is not seen. */
  readonly gap: 'none' | 'unseen' | 'dash' | 'space'
}

/** A text with `[key]` for every key whose letters are broken by spaces, dashes and what is not seen. */
function withoutBrokenKeys(text: string): string {
  let kept = ''
  let rest = 0
  for (const { begin, end } of keysAmong(groupsIn(text))) {
    kept += `${text.slice(rest, begin)}[key]`
    rest = end
  }
  return kept + text.slice(rest)
}

/** The groups of a text in runs: between two runs stands what no key has in it. */
function groupsIn(text: string): readonly (readonly Group[])[] {
  return Array.from(text.matchAll(STRETCH)).flatMap(({ 0: stretch, index }) =>
    hasLettersOfKey(stretch) ? groupsOf(stretch, index) : [],
  )
}

/** Are there as many letters of keys in it as a key has? */
const hasLettersOfKey = (stretch: string): boolean => stretch.replace(/[^a-z2-7]+/gi, '').length >= KEY_LENGTH

/** @param at where the stretch begins in its text */
function groupsOf(stretch: string, at: number): readonly (readonly Group[])[] {
  const runs: Group[][] = [[]]
  let gap: Group['gap'] = 'none'
  for (const { 0: part, index, groups = {} } of stretch.matchAll(PARTS)) {
    const run = runs.at(-1)!
    const last = run.at(-1)
    if (groups.unseen !== undefined) gap = gap === 'none' ? 'unseen' : gap
    else if (groups.dash !== undefined) gap = gap === 'space' ? gap : 'dash'
    else if (groups.space !== undefined) gap = 'space'
    else if (groups.word !== undefined && /^[a-z2-7]+$/i.test(part) && (last === undefined || gap !== 'none'))
      run.push({ begin: at + index, end: at + index + part.length, letters: part, gap })
    else if (run.length > 0) runs.push([])
    if (groups.word !== undefined || groups.code !== undefined || groups.other !== undefined) gap = 'none'
  }
  return runs
}

/** Where keys stand, in their order. A group has a letter at least, so a key has no more groups than letters. */
function keysAmong(runs: readonly (readonly Group[])[]): readonly { begin: number; end: number }[] {
  const found: { begin: number; end: number }[] = []
  for (const run of runs)
    for (const [first, { begin }] of run.entries()) {
      let letters = 0
      let next = first
      while (letters < KEY_LENGTH && next < run.length) letters += run[next++]!.letters.length
      if (letters !== KEY_LENGTH || next - first < 2 || !isBrokenKey(run.slice(first, next))) continue
      const { end } = run[next - 1]!
      const before = found.at(-1)
      if (before !== undefined && begin < before.end) before.end = end
      else found.push({ begin, end })
    }
  return found
}

/**
 * Are these groups, which have as many letters as a key, a key and no words? What is not seen breaks no word. Words with a
 * dash have no digit, and are not all of one length. Of a sentence, few words have both letters and digits.
 */
function isBrokenKey(groups: readonly Group[]): boolean {
  const gaps = groups.slice(1).map(({ gap }) => gap)
  if (gaps.every(gap => gap === 'unseen')) return true
  const words: string[] = []
  for (const { letters, gap } of groups)
    if (gap === 'unseen' && words.length > 0) words.push(`${words.pop()}${letters}`)
    else words.push(letters)
  if (words.every(({ length }) => length === words[0]!.length)) return true
  const hasDigit = words.some(word => /[2-7]/.test(word))
  if (!gaps.includes('space') || !hasDigit) return hasDigit
  const mixed = words.filter(word => /[2-7]/.test(word) && /[a-z]/i.test(word))
  const lengths = words.map(word => word.length)
  return mixed.length * 3 >= words.length || isEven(lengths) || isNearlyEven(lengths)
}

/** All of one length; what is left over stands at the end. */
function isEven(lengths: readonly number[]): boolean {
  const [size = 0, ...others] = lengths
  const last = others.pop() ?? size
  return last <= size && others.every(length => length === size)
}

/** The same for a key with one gap too few or too many. */
function isNearlyEven(lengths: readonly number[]): boolean {
  const size = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)]!
  return lengths.some(
    (length, at) =>
      (length === 2 * size && isEven(lengths.toSpliced(at, 1, size, size))) ||
      isEven(lengths.toSpliced(at, 2, length + (lengths[at + 1] ?? 0))),
  )
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
