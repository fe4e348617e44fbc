import { MINUTE_MS } from './durations.ts'

/** Times of day in the zones of the IANA (`Europe/Madrid`), as the machine's own table of them says. */

/** A zone's name: never an offset, which knows of no change of the clocks. */
const NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/
const LONGEST_NAME = 60

const calendars = new Map<string, Intl.DateTimeFormat>()

function calendarOf(zone: string): Intl.DateTimeFormat {
  const known = calendars.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  calendars.set(zone, made)
  return made
}

/** The zone that somebody named, as the table spells it; undefined where it knows none of that name. */
export function readZone(text: string): string | undefined {
  if (text.length > LONGEST_NAME || !NAME.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** A zone's calendar and clock at an instant, read as if they were UTC (whole seconds). @param instant epoch ms UTC */
export function timeIn(zone: string, instant: number): number {
  const parts = calendarOf(zone).formatToParts(instant)
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`)
}

/**
 * The instant at which a zone's clock shows a time.
 * @param time read as if it were UTC; one that the clock shows once, as no change of the clocks is near it
 * @returns epoch ms UTC
 */
export function instantIn(zone: string, time: number): number {
  const offset = (instant: number) => timeIn(zone, instant) - instant
  // The offset a few hours off may be another one than that of the time itself: a second look settles it.
  const near = time - offset(time)
  return Math.round((time - offset(near)) / MINUTE_MS) * MINUTE_MS
}
