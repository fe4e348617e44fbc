import { MINUTE_MS } from '#domain/durations.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import { withLease } from '#server/platform/job-runner/with-lease.ts'

/** Makes the photo-book where it is missing, and gives its facts. */
type Made = () => Promise<{ readonly photos: number; readonly missing: number; readonly madeAt: number }>

/**
 * Checks once an hour that the photo-book of the published content exists, and has it made where it does not. A buyer's
 * download would make it as well. This job shows the operator its faults before a buyer meets them.
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
