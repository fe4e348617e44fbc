import { dayAfter } from '../days.ts'

/** A day to do something on, for a calendar program. */
export interface CalendarDay {
  /** The id of the event. A calendar program that knows the id changes its event instead of adding another. */
  readonly uid: string
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Now, epoch ms UTC. */
  readonly stamp: number
  readonly summary: string
  readonly description: string
  readonly url?: string
}

const LONGEST_LINE = 75

/**
 * An iCalendar file (RFC 5545) with one whole-day event: CRLF line ends, text escaped, lines folded at 75 octets
 * without cutting a character.
 */
export function calendarFile({ uid, day, stamp, summary, description, url }: CalendarDay): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Keep the Chain//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${new Date(stamp).toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    `DTEND;VALUE=DATE:${dayAfter(day).replaceAll('-', '')}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    ...(url === undefined ? [] : [`URL:${url}`]),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map(line => `${folded(line)}\r\n`).join('')
}

function escaped(text: string): string {
  return text
    .replace(/[\\;,]/g, character => `\\${character}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[^\P{Cc}\t]/gu, '')
}

/** A line goes on behind a line end and a space, which count for the next one. */
function folded(line: string): string {
  let out = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0) ?? 0)
    if (octets + size > LONGEST_LINE) {
      out += '\r\n '
      octets = 1
    }
    out += character
    octets += size
  }
  return out
}

/** How many bytes a character takes in UTF-8. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
