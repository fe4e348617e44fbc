import { DAY_MS } from '#domain/durations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isLeaving } from '#server/platform/db/leaving-jobs.ts'

const KEPT_MS = 7 * DAY_MS
const AT_ONCE = 500

/**
 * Deletes jobs that were done a week ago and that nothing asks after (`leaving-jobs.ts`), some at a time. What failed
 * stays: somebody may still look for it.
 * @returns how many; 0 when done
 */
export async function letDoneJobsLeave(db: Database, now: number): Promise<number> {
  const gone = await db.transaction(trx =>
    trx
      .deleteFrom('jobs')
      .where('id', 'in', eb =>
        eb
          .selectFrom('jobs')
          .select('id')
          .where(isLeaving())
          .where('done_at', '<', now - KEPT_MS)
          .limit(AT_ONCE),
      )
      .returning('id')
      .execute(),
  )
  return gone.length
}
