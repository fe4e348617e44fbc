import { DAY_MS } from './durations.ts'
import { timeInMadrid } from './madrid.ts'

/** Days as texts, `2026-11-21`: they are compared as texts, and have no zone of their own. */

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The day of an instant in UTC. @param instant epoch ms UTC */
export const dayInUtc = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The day of an instant in Madrid. @param instant epoch ms UTC */
export const dayInMadrid = (instant: number): string => dayInUtc(timeInMadrid(instant))

/** The first instant of a day in UTC, epoch ms; NaN where it is no day. */
const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Is this a day that there is? `2026-02-30` is none. */
export function isDay(text: string): boolean {
  const instant = DAY.test(text) ? midnight(text) : Number.NaN
  return !Number.isNaN(instant) && dayInUtc(instant) === text
}

/** The day before, `2026-11-20` for `2026-11-21`. */
export const dayBefore = (day: string): string => dayInUtc(midnight(day) - DAY_MS)

/** The day after, `2026-11-22` for `2026-11-21`. */
export const dayAfter = (day: string): string => dayInUtc(midnight(day) + DAY_MS)

/** The day so many days later. */
export const daysAfter = (day: string, days: number): string => dayInUtc(midnight(day) + days * DAY_MS)

/** The year of an instant in Madrid. @param instant epoch ms UTC */
export const yearInMadrid = (instant: number): number => new Date(timeInMadrid(instant)).getUTCFullYear()
