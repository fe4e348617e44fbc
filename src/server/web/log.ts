import { masked } from '#domain/analytics/masked.ts'
import type { Log } from '#server/app.ts'

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
