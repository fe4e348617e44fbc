import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import { PROBLEMS } from '#domain/problems.ts'
import { CATALOGUES } from '#i18n/catalogues.ts'
import { getT } from '#i18n/index.ts'
import { sourceFiles } from '#tests/support/sources.ts'

const read = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(`locales/${language}/${file}`, 'utf8'))
const placeholders = (text: string): string[] =>
  [...text.matchAll(/{{(\w+)}}/g)].map(match => match[1]!).sort()

interface SeedText {
  readonly of: string
  readonly language: string
  readonly text: string
}

/** What visitors read of the content that a site begins with: each text with its document and language. */
function seedTexts(): readonly SeedText[] {
  const texts: SeedText[] = []
  const read = (value: unknown, of: string, language?: string): void => {
    if (typeof value === 'string') {
      if (language && !/^(?:https|mailto|\/)/.test(value)) texts.push({ of, language, text: value })
    } else if (value && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) {
        if (key === '_type' || key === '_key' || key === 'style' || key === 'href') continue
        read(inner, of, LANGUAGES.find(each => each === key) ?? language)
      }
    }
  }
  for (const line of readFileSync('studio/seed/production.ndjson', 'utf8').split('\n').filter(Boolean)) {
    const document = JSON.parse(line)
    read(document, document._id)
  }
  return texts
}

describe('the catalogues', () => {
  const isThere = (language: string): boolean => existsSync(`locales/${language}/index.ts`)
  const filesOf = (language: string): string[] =>
    readdirSync(`locales/${language}`)
      .filter(file => file.endsWith('.json'))
      .sort()
  const files = filesOf('es')

  it('are there for each language', () => {
    expect(LANGUAGES.filter(language => !isThere(language))).toEqual([])
  })

  it.each(LANGUAGES.filter(isThere))('have the same files in %s, each of them imported', language => {
    expect(filesOf(language)).toEqual(files)
    const keys = files.flatMap(file => Object.keys(read(language, file)))
    expect(Object.keys(CATALOGUES[language]).sort()).toEqual([...new Set(keys)].sort())
    expect(new Set(keys).size, 'a key stands in two files').toBe(keys.length)
  })

  it.each(files)('say the same things in every language: %s', file => {
    const spanish = read('es', file)
    for (const language of LANGUAGES.filter(isThere)) {
      const other = read(language, file)
      expect(Object.keys(other)).toEqual(Object.keys(spanish))
      for (const [key, text] of Object.entries(other)) {
        expect(text.trim(), `${language} ${key} is empty`).not.toBe('')
        expect(placeholders(text), `${language} ${key}`).toEqual(placeholders(spanish[key]!))
        expect(text, `${language} ${key}`).not.toMatch(/[!¡]/)
      }
    }
  })

  it('keep French punctuation with its word', () => {
    for (const [key, text] of Object.entries(CATALOGUES.fr)) expect(text, key).not.toMatch(/ [:;?!»]|« /)
  })

  it('hold a French word and its sign together by one space, the narrow one parts thousands', () => {
    const narrow = /(?<!\d)\u202f|\u202f(?!\d)/
    for (const [key, text] of Object.entries(CATALOGUES.fr)) expect(text, key).not.toMatch(narrow)
    for (const { of, language, text } of seedTexts())
      if (language === 'fr') expect(text, of).not.toMatch(narrow)
  })

  it('name no address of an example that could be somebody’s', () => {
    for (const language of LANGUAGES)
      for (const [key, text] of Object.entries(CATALOGUES[language]))
        for (const [, host] of text.matchAll(/@([a-z.-]+\.[a-z]+)/g))
          expect(host, `${language} ${key}`).toBe('example.org')
  })

  it('are American in English, as the texts of the law are (decision 66)', () => {
    const british =
      /\b(?:\w*organis\w*|\w*colour\w*|neighbourhood|harbour|grey|favour\w*|centre|cheque|catalogue|tick(?:ed|s)? (?:the|a) box|telephone numbers?|full stop)\b/i
    const words = (text: string): string => text.replaceAll(/{{\w+}}/g, '')
    for (const [key, text] of Object.entries(CATALOGUES.en)) expect(words(text), key).not.toMatch(british)
    const texts = seedTexts().filter(({ language }) => language === 'en')
    expect(texts.length).toBeGreaterThan(100)
    for (const { of, text } of texts) expect(text, of).not.toMatch(british)
  })

  it('are followed by the seed in how they punctuate', () => {
    for (const { of, language, text } of seedTexts()) {
      if (language === 'fr') expect(text, of).not.toMatch(/ [:;?!»]|« /)
      if (language === 'es' && text.includes('?')) expect(text, of).toContain('¿')
      // Marks of a typewriter stand in code alone.
      expect(text, of).not.toMatch(/["']/)
    }
  })

  it('call the way to a withdrawal what the terms call it', () => {
    for (const language of LANGUAGES) {
      const terms = seedTexts().filter(each => each.of === 'page-terms' && each.language === language)
      expect(terms.map(({ text }) => text).join('\n')).toContain(CATALOGUES[language]['withdraw-door'])
    }
  })

  it('break no French title at the hyphen of a verb, and every other text where it has to', () => {
    for (const [key, text] of Object.entries(CATALOGUES.fr))
      expect(text, key).not.toMatch(/-title(?:-|$)/.test(key) ? /\p{L}-\p{L}/u : /\u2011/)
  })

  it('say nowhere that money has arrived, which is owed until it is paid out', () => {
    const arrived: Readonly<Partial<Record<Language, RegExp>>> = {
      es: /han ido adonde|llega entero|recibe \{\{amount\}\}|Reciben las organizaciones/,
      en: /went where|reaches the organizations|receives \{\{amount\}\}|organizations receive$/,
      fr: /est arrivé là|va tout entier|reçoit \{\{amount\}\}|organisations reçoivent$/,
    }
    for (const [language, words] of Object.entries(arrived))
      for (const [key, text] of Object.entries(CATALOGUES[language as Language]))
        expect(text, `${language} ${key}`).not.toMatch(words)
  })

  it('let no French or Spanish word stand unjoined before a name', () => {
    const unjoined = { fr: /(?<!\p{L})(?:de|que|jusque) Aurélie/iu, es: /(?<!\p{L})(?:de|a) el equipo/iu }
    for (const [language, name] of [
      ['fr', 'Aurélie'],
      ['es', 'el equipo'],
    ] as const)
      for (const [key, text] of Object.entries(CATALOGUES[language])) {
        const values = Object.fromEntries(placeholders(text).map(each => [each, name]))
        if (placeholders(text).length > 0)
          expect(getT(language)(key, values), key).not.toMatch(unjoined[language])
        // A label of which the name follows as its value: nobody could join the two.
        if (language === 'fr') expect(text, `${key} ends before a name`).not.toMatch(/\s(?:de|que)$/)
      }
  })

  it('give no text whose words depend on a name to the plain `fill` of the browser', () => {
    const joining = Object.entries(CATALOGUES.fr)
      .filter(([, text]) => /(?<!\p{L})(?:de|que|jusque) \{\{/iu.test(text))
      // Amounts and counts begin with a figure, which changes no word.
      .filter(([, text]) => !/(?<!\p{L})(?:de|que|jusque) \{\{(?:amount|credit|left)\}\}/iu.test(text))
      .map(([key]) => key)
    expect(joining).toContain('receiver-heading-named')
    const browser = sourceFiles('src/**/*.{ts,tsx}')
      .flatMap(file => [...readFileSync(file, 'utf8').matchAll(/\bfill\(\s*([^,]+),/g)])
      .map(([, text]) => text!)
    expect(browser.length).toBeGreaterThan(10)
    for (const text of browser) for (const key of joining) expect(text).not.toContain(`'${key}'`)
  })

  it('have a sentence for every problem', () => {
    for (const code of [...Object.keys(PROBLEMS), 'network'])
      expect(CATALOGUES.es).toHaveProperty(`problem-${code}`)
  })
})
