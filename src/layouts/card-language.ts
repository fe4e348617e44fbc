import type { Language } from '#domain/languages.ts'

/**
 * The language of a recipient's page: the visitor's, and where nothing says which that is the one that the card was
 * bought in. The whole page is rendered in it.
 */
export function languageOfCard(locals: App.Locals, cardLanguage: Language | undefined): Language {
  if (locals.isLanguageGuess && cardLanguage) locals.language = cardLanguage
  return locals.language
}
