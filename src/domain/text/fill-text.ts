import type { Language } from '../languages.ts'

/** The little words that lose their vowel before another one: *de*, *que* and theirs. */
const ELIDED = /(^|[^\p{L}])(de|que|jusque|lorsque|puisque|quoique)\s$/iu
const FRENCH_OF = /(^|[^\p{L}])(de|à)\s$/iu
const SPANISH_OF = /(^|[^\p{L}])(de|a)\s$/iu

/**
 * An article that begins a phrase (`Les collègues`) or stands before a name (`el CERF`), not one that is part of a name
 * (`Le Corbusier`, `El Salvador`).
 */
const FRENCH_ARTICLE = /^(les?|Les?(?=\s+\p{Ll}))\s+/u
const SPANISH_ARTICLE = /^(?:el|El(?=\s+\p{Ll}))\s+/u

/** First words with a silent h, without their accents; before any other h nothing is left out (`de Hassan`). */
const SILENT_H = new Set(
  (
    'habitants hadrien hadrienne hanna hannah harmonie hector hedwige helena helene heliette heloise henri henriette ' +
    'henry herbert hercule hermance hermeline hermes hermine hermione herve herveline hilaire hildegarde hippolyte ' +
    'hirondelles histoire hommes honorat honore honorine hopital horace hortense hotel hubert huberte hugo hugolin ' +
    'hugues huguette humanite humbert hyacinthe'
  ).split(' '),
)

/** First words that begin with a vowel and are spoken as if with a consonant. */
const SPOKEN_APART = new Set(['onze', 'onzieme', 'oui', 'ouistiti'])

const FRENCH_CONTRACTED: Readonly<Record<string, string>> = {
  'de le': 'du ',
  'de les': 'des ',
  'à le': 'au ',
  'à les': 'aux ',
}

/**
 * Does a French word before this text lose its vowel (`d’Aurélie`, `d’Yves`, `d’Hélène`)? A `y` counts as a vowel
 * before a consonant only (`de Yann`), an `h` in the names and words that are known to be silent.
 */
export function beginsWithVowel(text: string): boolean {
  const word = /^\p{L}+/u.exec(text.normalize('NFC'))?.[0] ?? ''
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  if (plain.startsWith('h')) return SILENT_H.has(plain)
  if (SPOKEN_APART.has(plain)) return false
  return /^(?:[aeiouœæ]|y[^aeiouy])/.test(plain)
}

/**
 * Fills the `{{placeholders}}` of a text. A placeholder without a value becomes nothing. The word before a
 * placeholder takes the form that what is filled in asks for: in French `de` + `Aurélie` is `d’Aurélie` and `de` +
 * `les amis` is `des amis`, in Spanish `de` + `el equipo` is `del equipo`. What is filled in is never read as a text
 * with placeholders.
 */
export function fillText(
  text: string,
  values: Readonly<Record<string, string | number>>,
  language: Language,
): string {
  let filled = ''
  let from = 0
  for (const { 0: placeholder, 1: name, index } of text.matchAll(/{{(\w+)}}/g)) {
    const value = String(values[name!] ?? '')
    filled += text.slice(from, index)
    const joined = JOIN[language]?.(filled, value)
    filled = joined ?? filled + value
    from = index + placeholder.length
  }
  return filled + text.slice(from)
}

/** By language: joins a text to the value that follows it, where the two change each other. */
const JOIN: Readonly<Partial<Record<Language, (before: string, value: string) => string | undefined>>> = {
  fr: (before, value) => {
    if (ELIDED.test(before) && beginsWithVowel(value)) return `${before.slice(0, -2)}’${value}`
    const article = FRENCH_ARTICLE.exec(value)
    const of = article && FRENCH_OF.exec(before)
    if (!article || !of) return undefined
    const [word, small] = [of[2]!, of[2]!.toLowerCase()]
    const contracted = FRENCH_CONTRACTED[`${small} ${article[1]!.toLowerCase()}`]!
    const cased = word === small ? contracted : contracted[0]!.toUpperCase() + contracted.slice(1)
    return before.slice(0, -word.length - 1) + cased + value.slice(article[0].length)
  },
  es: (before, value) => {
    const article = SPANISH_ARTICLE.exec(value)
    if (!article || !SPANISH_OF.test(before)) return undefined
    return `${before.slice(0, -1)}l ${value.slice(article[0].length)}`
  },
}
