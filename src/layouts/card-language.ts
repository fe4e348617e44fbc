import type { Language } from '#domain/languages.ts'

/**
 * The language of a recipient's whole page: the visitor's, or where the request names none, the language that the card
 * was bought in.
 */
export function languageOfCard(locals: App.Locals, cardLanguage: Language | undefined): Language {
  if (locals.isLanguageGuess && cardLanguage) locals.language = cardLanguage
  return locals.language
}
