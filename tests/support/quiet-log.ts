import type { Log } from '#server/platform/log.ts'

/** A log that keeps what it is told, for tests to look at. */
export function quietLog(): Log & { readonly events: readonly string[] } {
  const events: string[] = []
  return {
    events,
    info: event => void events.push(event),
    error: event => void events.push(event),
  }
}
