import pino from 'pino'
import { masked, maskedData } from '#domain/analytics/masked.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** What is known of an event: ids, numbers and words. */
type Facts = Readonly<Record<string, string | number | boolean | null>>

/** Structured log lines; the implementation masks keys, addresses and session ids. */
export interface Log {
  info(event: string, facts?: Facts): void
  error(event: string, error: unknown, facts?: Facts): void
  /**
   * Keeps the mail of an alarm in the transaction of what it tells of. For what is noticed only once: a process that ends
   * between the two would leave it untold for ever. The event still goes to `error` once the transaction stands; both
   * together are one mail. Missing where no alarm is mailed.
   */
  readonly queueAlarm?: (trx: Writer, event: string, facts: Facts) => Promise<void>
}

/**
 * One JSON object per line, masked as a whole, so that a stack or a nested cause holds no secret either.
 * @param write takes one line with its line end
 */
export function createLog(write: (line: string) => void, clock: () => number = Date.now): Log {
  const lines = pino(
    {
      base: null,
      messageKey: 'event',
      // Before it is JSON: there `\\n` before a key would be a letter of it.
      formatters: { level: level => ({ level }), log: facts => maskedData(facts) as typeof facts },
      timestamp: () => `,"time":"${new Date(clock()).toISOString()}"`,
    },
    { write: line => write(masked(line)) },
  )
  return {
    info: (event, facts = {}) => lines.info(facts, event),
    error: (event, error, facts = {}) => lines.error({ ...facts, error: described(error) }, event),
  }
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${described(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}

/** The system's word where it has one (ENOSPC), else the error's kind: messages may hold an address. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
