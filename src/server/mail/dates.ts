import type { Language } from '#domain/languages.ts'

const LOCALES = { es: 'es-ES', en: 'en-GB', fr: 'fr-FR' } as const satisfies Record<Language, string>

/**
 * The last whole day before an instant, in words, in Madrid (decisions §7: a card lives to the end of its
 * anniversary day there).
 * @param end epoch ms UTC of the end of that day, which is the first instant of the next one or just before it
 */
export function lastDayBefore(end: number, language: Language): string {
  const words = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'Europe/Madrid' })
  const date = words.format(end - 1)
  return language === 'fr' ? date.replace(/^1 /, '1er ') : date
}
