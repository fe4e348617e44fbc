import { setTimeout as wait } from 'node:timers/promises'
import { Problem } from '#domain/problems.ts'
import type { FailureKind } from '#server/platform/db/engine.ts'

/** After this long of being refused, the visitor is asked to come back. */
const DEADLINE_MS = 15_000
const FIRST_WAIT_MS = 2
const LONGEST_WAIT_MS = 50

/**
 * Runs `attempt` again while the database refuses it for the moment (somebody else writes, a deadlock), with
 * waits that grow and vary, so that rivals do not meet again at the same instant.
 * @throws Problem temporarily-unavailable (with the database's error as its cause) when that does not end, or
 *   when the database cannot serve at all; every other error as it is
 */
export async function retrying<T>(
  classify: (error: unknown) => FailureKind,
  attempt: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS
  for (let longest = FIRST_WAIT_MS; ; longest = Math.min(longest * 2, LONGEST_WAIT_MS)) {
    try {
      return await attempt()
    } catch (error) {
      const kind = classify(error)
      if (kind === 'other') throw error
      if (kind === 'unavailable' || performance.now() > deadline) {
        throw Object.assign(new Problem('temporarily-unavailable', { retryAfterSeconds: 1 }), {
          cause: error,
        })
      }
    }
    await wait(1 + Math.random() * longest)
  }
}
