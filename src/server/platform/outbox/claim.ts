import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import { sharedTime } from '#server/platform/db/database-time.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** After this long without an answer, a job is somebody else's to try. */
export const LEASE_MS = 60_000

const FIRST_BACKOFF_MS = 30_000
const LONGEST_BACKOFF_MS = 3_600_000

/** How long a job waits for its next try, by the number of tries so far. */
const backoffAfter = (attempts: number): number =>
  Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), LONGEST_BACKOFF_MS)

/** For how long a job has been tried at least, ms: the waits between its tries. @param attempts 1 at the first try */
export const triedForMs = (attempts: number): number =>
  Array.from({ length: attempts - 1 }, (_, index) => backoffAfter(index + 1)).reduce(
    (sum, wait) => sum + wait,
    0,
  )

/** How long a job waits, in SQL, by its own tries, of which there is at least one. */
const BACKOFF = sql<number>`case attempts ${sql.join(
  Array.from(
    { length: 7 },
    (_, index) => sql`when ${sql.lit(index + 1)} then ${sql.lit(backoffAfter(index + 1))}`,
  ),
  sql` `,
)} else ${sql.lit(LONGEST_BACKOFF_MS)} end`

/**
 * Its time has come. What lies further ahead than a job can ever be put off was written by a clock that has been put
 * back since, and does not count: a next try beyond its backoff, or a first one of a job that is not yet queued.
 */
export function isDue(eb: ExpressionBuilder<Schema, 'jobs'>, now: number): Expression<SqlBool> {
  return eb.or([
    eb('run_at', '<=', now),
    eb.and([eb('attempts', '=', 0), eb('created_at', '>', now)]),
    eb.and([eb('attempts', '>', 0), eb(eb('run_at', '-', BACKOFF), '>', now)]),
  ])
}

/**
 * Nobody has it in hand: there is no lease, or it is over, or it is longer than any.
 * @param shared the time that all servers have in common
 */
export function isFree(
  eb: ExpressionBuilder<Schema, 'jobs'>,
  shared: Expression<number>,
): Expression<SqlBool> {
  return eb.or([
    eb('lease_until', 'is', null),
    eb('lease_until', '<=', shared),
    eb('lease_until', '>', sql<number>`${shared} + ${sql.lit(2 * LEASE_MS)}`),
  ])
}

/** A job in hand. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly dedupeKey: string
  readonly payload: unknown
  /** 1 at the first try. */
  readonly attempts: number
}

/** The writes in the transaction that finishes a job, whether it succeeded or was given up. */
export type WhenDone = (trx: Writer, job: Job) => Promise<void>

/**
 * Takes up to `limit` due jobs of these kinds, oldest first, so that nobody else has them for the lease.
 * @param now this server's clock, epoch ms UTC
 * @param shared another clock in the place of the database's, by which leases are written and judged
 */
export async function claim(
  db: Database,
  kinds: readonly string[],
  now: number,
  limit: number,
  shared?: Clock,
): Promise<readonly Job[]> {
  if (kinds.length === 0) return []
  const here = sharedTime(db.engine, now, shared)
  const rows = await db.transaction(trx =>
    trx
      .with('due', cte => {
        const due = cte
          .selectFrom('jobs')
          .select('id')
          .where('done_at', 'is', null)
          .where(eb => isDue(eb, now))
          .where(eb => isFree(eb, here))
          .where('kind', 'in', kinds)
          .orderBy('run_at')
          .limit(limit)
        // SQLite has one writer at a time; PostgreSQL's others take the next ones instead of waiting for these.
        return db.engine === 'postgres' ? due.forUpdate().skipLocked() : due
      })
      .updateTable('jobs')
      .set({
        lease_until: sql<number>`${here} + ${sql.lit(LEASE_MS)}`,
        attempts: sql`attempts + 1`,
      })
      .where('id', 'in', eb => eb.selectFrom('due').select('id'))
      .returning(['id', 'kind', 'dedupe_key', 'payload', 'attempts'])
      .execute(),
  )
  return rows.map(row => ({
    id: row.id,
    kind: row.kind,
    dedupeKey: row.dedupe_key,
    payload: JSON.parse(row.payload) as unknown,
    attempts: row.attempts,
  }))
}

/**
 * The job is finished: it worked (`givenUp` null), or it never will.
 * @param whenDone written in the same transaction, if it was ours to finish
 */
export async function finish(
  db: Database,
  job: Job,
  now: number,
  givenUp: string | null,
  whenDone?: WhenDone,
): Promise<void> {
  await settle(db, job, { done_at: now, lease_until: null, failed_reason: givenUp }, whenDone)
}

/** The job failed: it comes again after 30 s · 2ⁿ, at most an hour. */
export async function postpone(db: Database, job: Job, now: number, reason: string): Promise<void> {
  await settle(db, job, {
    run_at: now + backoffAfter(job.attempts),
    lease_until: null,
    failed_reason: reason,
  })
}

async function settle(
  db: Database,
  job: Job,
  outcome: { run_at?: number; done_at?: number; lease_until: null; failed_reason: string | null },
  whenDone?: WhenDone,
): Promise<void> {
  await db.transaction(async trx => {
    const settled = await trx
      .updateTable('jobs')
      .set(outcome)
      .where('id', '=', job.id)
      // A process that lost its lease changes nothing of the process that holds it now.
      .where('attempts', '=', job.attempts)
      .where('done_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (settled) await whenDone?.(trx, job)
  })
}
