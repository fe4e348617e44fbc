import { createHash } from 'node:crypto'
import { ApiError } from './errors.ts'
import type { Store } from './store.ts'

const KEPT_MS = 24 * 60 * 60 * 1000

export interface Answer {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

/** What makes two requests the same one: method, path and parameters, in whatever order. */
export function fingerprintOf(
  method: string,
  path: string,
  pairs: readonly (readonly [string, string])[],
): string {
  const sorted = pairs.map(pair => JSON.stringify(pair)).sort()
  return createHash('sha256')
    .update([method, path, ...sorted].join('\n'))
    .digest('hex')
}

/**
 * Runs a request once per key: the first answer, good or bad, is kept for 24 hours and given again; the same
 * key for another request is an error. Call it inside the transaction that runs the request, and only after
 * the request's validation, since a refused request keeps its key free.
 */
export function once(
  store: Store,
  now: number,
  key: string | null,
  fingerprint: string,
  run: () => { status: number; body: string },
): Answer {
  if (key === null) return { ...run(), replayed: false }
  store.forgetKeptBefore(now - KEPT_MS)
  const kept = store.kept(key, now - KEPT_MS)
  if (kept && kept.fingerprint !== fingerprint)
    throw new ApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    })
  if (kept) return { status: kept.status, body: kept.body, replayed: true }
  const answer = run()
  store.keep(key, { fingerprint, ...answer }, now)
  return { ...answer, replayed: false }
}
