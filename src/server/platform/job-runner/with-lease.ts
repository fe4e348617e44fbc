import { setInterval } from 'node:timers/promises'
import type { Turn } from './job.ts'

/** Well within a lease. */
const KEEP_EVERY_MS = 10_000

/**
 * Waits for work that a process of its own does, and keeps the turn meanwhile: a run that is longer than its lease
 * would be begun by every other server in turn, and written down by none. What is begun is waited for, also when the
 * server stops or somebody else has the job by now.
 */
export async function withLease<T>(
  turn: Turn,
  work: Promise<T>,
  everyMs: number = KEEP_EVERY_MS,
): Promise<T> {
  const over = new AbortController()
  const keep = async (): Promise<void> => {
    // The database may be away for a moment.
    for await (const _ of setInterval(everyMs, undefined, { signal: over.signal, ref: false }))
      await turn.goOn().catch(() => {})
  }
  // Ends by being aborted.
  keep().catch(() => {})
  try {
    return await work
  } finally {
    over.abort()
  }
}
