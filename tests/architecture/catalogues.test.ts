import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { PROBLEMS } from '#domain/problems.ts'
import { CATALOGUES } from '#i18n/catalogues.ts'

const read = (language: string, file: string): Record<string, string> =>
  JSON.parse(readFileSync(`locales/${language}/${file}`, 'utf8'))
const placeholders = (text: string): string[] =>
  [...text.matchAll(/{{(\w+)}}/g)].map(match => match[1]!).sort()

describe('the catalogues', () => {
  const files = readdirSync('locales/es').sort()

  it.each(LANGUAGES)('have the same files in %s, each of them imported', language => {
    expect(readdirSync(`locales/${language}`).sort()).toEqual(files)
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

  it('have a sentence for every problem', () => {
    for (const code of [...Object.keys(PROBLEMS), 'network'])
      expect(CATALOGUES.es).toHaveProperty(`problem-${code}`)
  })
})
