import { KEY_LENGTH } from '#domain/card/keys.ts'
import type { Log } from '#server/app.ts'

/** Keys are lower case; a long name of an error in mixed case is none. */
const CARD_KEY = new RegExp(`(?<![A-Za-z0-9])[a-z2-7]{${KEY_LENGTH}}(?![A-Za-z0-9])`, 'g')
const SESSION = /\bcs_(?:test_|live_)?[A-Za-z0-9_]+/g
const SECRET = /\b(?:(?:sk|rk)_(?:test|live)_|whsec_)[A-Za-z0-9_-]+/g
const MAIL = /[^\s@<>"'(),:;]+(?:@|%40)[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;/?&]+/gi

/** Takes card keys, Checkout session ids, provider secrets and e-mail addresses out of a text (decisions §3, §11). */
export function masked(text: string): string {
  return text
    .replace(CARD_KEY, '[key]')
    .replace(SESSION, '[session]')
    .replace(SECRET, '[secret]')
    .replace(MAIL, '[address]')
}

/**
 * One JSON object per line, masked as a whole, so that nothing slips through in a stack or a nested cause.
 * @param write takes one line with its line end
 */
export function createLog(write: (line: string) => void, clock: () => number = Date.now): Log {
  const line = (level: 'info' | 'error', event: string, facts: object): void => {
    const time = new Date(clock()).toISOString()
    write(`${masked(JSON.stringify({ time, level, event, ...facts }))}\n`)
  }
  return {
    info: (event, facts = {}) => line('info', event, facts),
    error: (event, error, facts = {}) => line('error', event, { ...facts, error: described(error) }),
  }
}

function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${described(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
