import type { Insertable } from 'kysely'
import type { Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { JobsTable } from '#server/platform/db/schema.ts'

export interface NewJob {
  readonly kind: string
  /** The same key is queued once, ever: repeated events, retries and double presses meet in one job. */
  readonly dedupeKey: string
  /** Becomes JSON. Ids only: never a key, a link or an address. */
  readonly payload: unknown
  /** Epoch ms UTC: not before. */
  readonly runAt: number
  /** When it was asked for, epoch ms UTC; the same as `runAt` unless said otherwise. */
  readonly queuedAt?: number
  /** What the work is about (a card id, say), where it is counted how often it was asked for. */
  readonly subject?: string
}

/**
 * Queues work in the transaction that makes it necessary: both are kept, or neither.
 * @returns false when a job of this dedupe key is there already, done or not
 */
export async function enqueue(trx: Writer, job: NewJob): Promise<boolean> {
  return (await enqueueEach(trx, [job])) === 1
}

/** The same for many at once. @returns how many were not there already */
export async function enqueueEach(trx: Writer, jobs: readonly NewJob[]): Promise<number> {
  const added = await trx
    .insertInto('jobs')
    .values(jobs.map(rowOf))
    .onConflict(conflict => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .execute()
  return added.length
}

function rowOf(job: NewJob): Insertable<JobsTable> {
  const queuedAt = job.queuedAt ?? job.runAt
  return {
    id: newId(queuedAt),
    kind: job.kind,
    payload: JSON.stringify(job.payload),
    dedupe_key: job.dedupeKey,
    subject: job.subject ?? null,
    run_at: job.runAt,
    lease_until: null,
    attempts: 0,
    done_at: null,
    failed_reason: null,
    created_at: queuedAt,
  }
}
