import { isLanguage, languageFromTag } from '#domain/languages.ts'

/**
 * Languages that the product has not, whichever it has, German first as long as it is answered in English: examples of
 * what is no path, no catalogue and no choice.
 */
export const NOT_OURS: readonly string[] = ['de', 'it', 'pt', 'nl', 'ca', 'eu', 'gl'].filter(
  word => !isLanguage(word),
)

/** Those of them that are answered in no other language either. */
export const UNKNOWN: readonly string[] = NOT_OURS.filter(word => languageFromTag(word) === undefined)

/** What a visitor reads who asks for German: English, until German is a language of the product (product.md#languages). */
export const FOR_GERMAN = isLanguage('de') ? 'de' : 'en'
