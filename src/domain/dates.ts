import type { Language } from './languages.ts'

/** Languages whose dates are written as one of their regions writes them; `Intl` knows how the others do. */
const REGIONS: Readonly<Partial<Record<Language, string>>> = { en: 'en-US' }

const localeOf = (language: Language): string => REGIONS[language] ?? language

/** Languages that write the first of a month as no other day, which `Intl` does not know. */
const FIRST_OF_MONTH: Readonly<Partial<Record<Language, (day: string) => string>>> = {
  fr: day => day.replace(/^1 /, '1er '),
}

/** The time zone that is offered to whom no browser says theirs, by the language of the page. */
export const OFFERED_ZONES: Readonly<Record<Language, string>> = {
  es: 'Europe/Madrid',
  en: 'America/New_York',
  fr: 'Europe/Paris',
}

/** A day and its month, which no line may part. In Spanish a word stands between them. */
const DAY_AND_MONTH = /^\S+ (?:de )?/

/**
 * The day of an instant, in words, in Madrid: `March 10, 2027`. Spaces that do not break join the day to its month.
 * @param instant epoch ms UTC; the midnight UTC that a date without a time stands for is the same day there
 */
export function dayOf(instant: number, language: Language): string {
  const words = new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'Europe/Madrid' })
  const day = words.format(instant)
  return (FIRST_OF_MONTH[language]?.(day) ?? day).replace(DAY_AND_MONTH, joined =>
    joined.replaceAll(' ', '\u00a0'),
  )
}

/** The same, short: `Mar 27`. */
export function shortMonthOf(instant: number, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    month: 'short',
    year: '2-digit',
    timeZone: 'UTC',
  }).format(instant)
}

/** The month of an instant, in words, in UTC where nothing else is said: `March 2027`. @param instant epoch ms UTC */
export function monthOf(instant: number, language: Language, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    month: 'long',
    year: 'numeric',
    timeZone,
  }).format(instant)
}

/**
 * The last whole day before an instant (product.md#a-year-later: a card lives to the end of its anniversary day in
 * Madrid).
 * @param end epoch ms UTC of the end of that day, which is the first instant of the next one or just before it
 */
export function lastDayBefore(end: number, language: Language): string {
  return dayOf(end - 1, language)
}

const MINUTE_S = 60
const HOUR_S = 3_600

/**
 * In how long something may be done, in words, never too early: `in 5 hours`, `in 2 minutes`.
 * @param seconds from now, more than 0
 */
export function inAWhile(seconds: number, language: Language): string {
  const words = new Intl.RelativeTimeFormat(localeOf(language))
  if (seconds > HOUR_S) return words.format(Math.ceil(seconds / HOUR_S), 'hour')
  if (seconds > MINUTE_S) return words.format(Math.ceil(seconds / MINUTE_S), 'minute')
  return words.format(Math.ceil(seconds), 'second')
}

/**
 * A day and its hour in Madrid in one phrase, for the languages that join them in another way than by a comma. French
 * writes the hour of a text with an h, which `Intl` does not know.
 */
const MOMENTS: Readonly<Partial<Record<Language, (day: string, instant: number) => string>>> = {
  fr: (day, instant) => {
    const clock = new Intl.DateTimeFormat('fr', { timeStyle: 'short', timeZone: 'Europe/Madrid' })
    const [hour, minute] = clock.format(instant).split(':')
    return `${day} à ${Number(hour)}\u00a0h\u00a0${minute} (heure de Madrid)`
  },
}

/**
 * An instant in words, with Madrid's clock: `March 10, 2027, 2:05 PM (Madrid)`, `10 mars 2027 à 14 h 05 (heure de Madrid)`.
 * @param instant epoch ms UTC
 */
export function momentOf(instant: number, language: Language): string {
  const day = dayOf(instant, language)
  const moment = MOMENTS[language]
  if (moment) return moment(day, instant)
  const time = new Intl.DateTimeFormat(localeOf(language), { timeStyle: 'short', timeZone: 'Europe/Madrid' })
  return `${day}, ${time.format(instant)} (Madrid)`
}
