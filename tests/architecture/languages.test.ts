import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { sourceFiles } from '#tests/support/sources.ts'

/** The table itself, and what some languages have of their own: words, addresses, a price list, grammar. */
const TABLES = [
  'src/domain/languages.ts',
  'src/domain/dates.ts',
  'src/domain/pricing/packages.ts',
  'src/domain/pricing/strategies.ts',
  'src/domain/text/fill-text.ts',
  'src/stand-ins/payments-double/hosted/texts.ts',
]

/** Where a language is named that is no choice of the product's. */
const FACTS: Readonly<Record<string, string>> = {
  'src/domain/money/currency.ts': 'which currency a browser that asks for British English reads in',
  'src/domain/polls/polls.ts': 'an answer that the poll has in two languages',
  'src/screens/shared/developer/developer-panel.ts': 'the developer’s panel is written in English',
  'src/stand-ins/inbox/views.ts': 'so is the inbox',
  'studio/src/languages/names.ts': 'and the Studio',
  'src/server/modules/letters/alarms.ts': 'so are the mails to the operator',
}

const one = `(?:${LANGUAGES.join('|')})`
/** Ways to name a language in code: as a text, as a field, as a choice of a pattern, as a field of a path. */
const NAMED = new RegExp(
  [
    `(['"\`])${one}\\1`,
    `\\b${one}\\|${one}\\b`,
    `[{,]\\s*${one}\\s*[:,}]`,
    `^\\s*${one}\\s*:`,
    `\\w\\.${one}\\b(?!\\.)`,
  ].join('|'),
  'm',
)

/** Code without comments, addresses and the writing of numbers. */
const codeOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')
    .replace(/https?:\/\/[^\s'"`]+/g, '')
    .replace(/toLocaleString\('en'/g, '')

const files = sourceFiles([
  'src/**/*.{ts,tsx,astro}',
  'studio/src/**/*.{ts,tsx}',
  'studio/*.ts',
  '*.{mjs,cjs}',
])

it('no code names a language but its tables: the list is in one place, and the rest is made of it', () => {
  expect(files.length).toBeGreaterThan(500)
  const naming = files.filter(file => NAMED.test(codeOf(file)))
  expect(naming.filter(file => !TABLES.includes(file) && !(file in FACTS))).toEqual([])
  // And none is excused that needs it no more.
  expect([...TABLES, ...Object.keys(FACTS)].filter(file => !naming.includes(file))).toEqual([])
})

it.each([
  'const LANGUAGE_PREFIX = /^\\/(es|en|fr)(?=\\/|$)/',
  "if (language === 'de') return 'en'",
  'z.object({ es: text, en: text, fr: text })',
  "  readonly language?: 'es' | 'en' | 'fr'",
  "select: { title: 'title.en' }",
  'return mission.title.es',
  'const TEXTS = { es, en, fr }',
])('a language that is named is seen: %s', line => {
  expect(NAMED.test(line)).toBe(true)
})
