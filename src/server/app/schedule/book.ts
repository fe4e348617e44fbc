import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import { withLease } from '#server/platform/job-runner/with-lease.ts'

const MINUTE_MS = 60_000

/** The photo-book as its room has it. */
type Made = () => Promise<{ readonly photos: number; readonly missing: number; readonly madeAt: number }>

/**
 * Looks once an hour whether the photo-book of what is published is there, and has it made where it is not. Buyers get
 * it either way, as they have it made themselves; so the operator reads here what they would find, before they do.
 */
export function photoBook(made: Made): PeriodicJob {
  return {
    name: 'photo-book',
    everyMs: 60 * MINUTE_MS,
    firstAfterMs: 20 * MINUTE_MS,
    async run(turn) {
      const { photos, missing, madeAt } = await withLease(turn, made())
      const at = new Date(madeAt).toISOString()
      return { photos, ...(missing > 0 && { missing }), made: `${at.slice(0, 10)} ${at.slice(11, 16)} UTC` }
    },
  }
}
