/** Days as texts, `2026-11-21`: they are compared as texts, and have no zone of their own. */

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 24 * 3_600_000

/** The day of an instant in UTC. @param instant epoch ms UTC */
export const dayInUtc = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Is this a day that there is? `2026-02-30` is none. */
export function isDay(text: string): boolean {
  const instant = DAY.test(text) ? midnight(text) : Number.NaN
  return !Number.isNaN(instant) && dayInUtc(instant) === text
}

export const dayBefore = (day: string): string => dayInUtc(midnight(day) - DAY_MS)

export const dayAfter = (day: string): string => dayInUtc(midnight(day) + DAY_MS)
