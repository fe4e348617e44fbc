import { MINUTE_MS } from './durations.ts'

const ZONE = 'Europe/Madrid'

const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

/** Madrid's calendar and clock at an instant, read as if they were UTC (whole seconds). */
export function timeInMadrid(instant: number): number {
  const part = Object.fromEntries(calendar.formatToParts(instant).map(({ type, value }) => [type, value]))
  return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`)
}

/**
 * The instant of a midnight in Madrid. Clocks there change at 2 and 3 o'clock, so midnight comes once a day.
 * @param midnight read as if it were UTC
 * @returns epoch ms UTC
 */
export function midnightInMadrid(midnight: number): number {
  const offset = (instant: number) => timeInMadrid(instant) - instant
  // The offset a few hours off may be another one than that of the midnight itself: a second look settles it.
  const near = midnight - offset(midnight)
  return Math.round((midnight - offset(near)) / MINUTE_MS) * MINUTE_MS
}
