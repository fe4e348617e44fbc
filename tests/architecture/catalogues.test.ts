import { readdirSync, readFileSync } from 'node:fs'
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

describe('the catalogues', () => {
  const filesOf = (language: string): string[] =>
    readdirSync(`locales/${language}`)
      .filter(file => file.endsWith('.json'))
      .sort()
  const files = filesOf('es')

  it.each(LANGUAGES)('have the same files in %s, each of them imported', language => {
    expect(filesOf(language)).toEqual(files)
    const keys = files.flatMap(file => Object.keys(read(language, file)))
    expect(Object.keys(CATALOGUES[language]).sort()).toEqual([...new Set(keys)].sort())
    expect(new Set(keys).size, 'a key stands in two files').toBe(keys.length)
  })

  it.each(files)('say the same things in every language: %s', file => {
    const spanish = read('es', file)
    for (const language of LANGUAGES) {
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

  it('break no French title at the hyphen of a verb', () => {
    for (const [key, text] of Object.entries(CATALOGUES.fr))
      if (/-title(?:-|$)/.test(key)) expect(text, key).not.toMatch(/\p{L}-\p{L}/u)
  })

  it('say nowhere that money has arrived, which is owed until it is paid out', () => {
    const arrived: Readonly<Partial<Record<Language, RegExp>>> = {
      es: /han ido adonde|llega entero|recibe \{\{amount\}\}|Reciben las organizaciones/,
      en: /went where|reaches the organisations|receives \{\{amount\}\}|organisations receive$/,
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
