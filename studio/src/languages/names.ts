import { DEFAULT_LANGUAGE, type Language, perLanguage } from '../product.ts'

/** The product's languages as the operator reads them. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = perLanguage(
  language => new Intl.DisplayNames(['en'], { type: 'language' }).of(language) ?? language,
)

/** One value for each language, as the Studio holds it while somebody is still typing. */
export type Localised<T> = Readonly<Partial<Record<Language, T | undefined>>>

/** The language of a field that names a document in the Studio's lists, which the operator reads in English. */
export const named = (field: string): string => `${field}.${DEFAULT_LANGUAGE}`
