import { LANGUAGES, type Language } from '#domain/languages.ts'
import type source from '../../locales/es/index.ts'

/** A key of the source language's catalogue. */
export type TextKey = keyof typeof source

/** Every text of a language: flat keys, the same in each language (a test keeps it so). */
export type Catalogue = Readonly<Record<TextKey, string>>

/**
 * The catalogues of `locales/`, one folder for each of the languages. One whose folder is not there yet has no texts, so
 * that all of it is read in the source language; the test of the catalogues accepts none.
 */
export const CATALOGUES = Object.fromEntries(
  await Promise.all(LANGUAGES.map(async language => [language, await catalogueOf(language)])),
) as Readonly<Record<Language, Catalogue>>

async function catalogueOf(language: Language): Promise<Partial<Catalogue>> {
  try {
    const { default: texts } = (await import(`../../locales/${language}/index.ts`)) as { default: Catalogue }
    return texts
  } catch {
    return {}
  }
}
