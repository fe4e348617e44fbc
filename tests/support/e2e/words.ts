import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The languages that the browser tests tell their stories in; another one of the product is looked at with its catalogue. */
export const LANGUAGES = ['es', 'en', 'fr'] as const

export type Language = (typeof LANGUAGES)[number]

/** The browser's own language of a visitor who reads `language`. */
export const LOCALES: Readonly<Record<Language, string>> = { es: 'es-ES', en: 'en-US', fr: 'fr-FR' }

const catalogues = new Map<Language, Readonly<Record<string, string>>>()

/** What the product says under a key of its catalogue, its placeholders filled. */
export function said(
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  let catalogue = catalogues.get(language)
  if (!catalogue) {
    const folder = join('locales', language)
    const files = readdirSync(folder).filter(file => file.endsWith('.json'))
    const parts = files.map(file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object)
    catalogue = Object.assign({}, ...parts) as Record<string, string>
    catalogues.set(language, catalogue)
  }
  const text = catalogue[key]
  if (text === undefined) throw new Error(`the ${language} catalogue has no ${key}`)
  return text.replace(/{{(\w+)}}/g, (whole, name: string) => String(values[name] ?? whole))
}
