import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { engineOf, sharedTime } from '#server/platform/db/database-time.ts'
import type { JobOutcome, PeriodicJobsTable } from '#server/platform/db/schema.ts'
import type { JobFacts, PeriodicJob } from '#server/platform/job-runner/job.ts'

/** A process that says nothing for this long has lost its job. */
export const LEASE_MS = 60_000

/** Writes down the jobs that there are, so that each comes to its first run. */
export async function registerJobs(db: Database, jobs: readonly PeriodicJob[], now: number): Promise<void> {
  if (jobs.length === 0) return
  await db.transaction(trx =>
    trx
      .insertInto('periodic_jobs')
      .values(jobs.map(({ name, firstAfterMs = 0 }) => ({ name, next_run_at: now + firstAfterMs })))
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute(),
  )
}

/** One process's right to a job. */
export interface Lease {
  /** The word that proves it. */
  readonly holder: string
  /** When the job was last done, epoch ms UTC; null when never. */
  readonly lastDoneAt: number | null
  /** How many runs before this one failed in a row. */
  readonly failures: number
}

/**
 * Takes a job that is due, so that nobody else has it for the lease. A next run further away than the job's own
 * period, or a lease longer than any, was written by a clock that has been put right since: it does not count.
 * @param now this server's clock, epoch ms UTC
 * @param shared another clock in the place of the database's, by which leases are written and judged
 * @returns undefined when the job is not due, or somebody else's
 */
export async function acquireLease(
  db: Database,
  { name, everyMs }: Pick<PeriodicJob, 'name' | 'everyMs'>,
  now: number,
  shared?: Clock,
): Promise<Lease | undefined> {
  const holder = randomBytes(12).toString('base64url')
  const here = sharedTime(db.engine, now, shared)
  const taken = await db.transaction(trx =>
    trx
      .updateTable('periodic_jobs')
      .set({ lease_until: leaseFrom(here), holder, started_at: now })
      .where('name', '=', name)
      .where(eb => eb.or([eb('next_run_at', '<=', now), eb('next_run_at', '>', now + everyMs)]))
      .where(eb =>
        eb.or([
          eb('lease_until', 'is', null),
          eb('lease_until', '<=', here),
          eb('lease_until', '>', sql<number>`${here} + ${sql.lit(2 * LEASE_MS)}`),
        ]),
      )
      .returning(['finished_at', 'outcome', 'result'])
      .executeTakeFirst(),
  )
  return taken && { holder, lastDoneAt: taken.finished_at, failures: failuresOf(taken) }
}

/** One failure where a version before wrote down none. */
function failuresOf({ outcome, result }: Pick<PeriodicJobsTable, 'outcome' | 'result'>): number {
  if (outcome !== 'failed') return 0
  return Number((JSON.parse(result ?? '{}') as JobFacts).failures ?? 1)
}

const leaseFrom = (here: RawBuilder<number>) => sql<number>`${here} + ${sql.lit(LEASE_MS)}`

/** Keeps the job for another lease. Its times are as in `acquireLease`. @returns false when somebody else has the job by now */
export async function renewLease(
  db: Database,
  name: string,
  holder: string,
  now: number,
  shared?: Clock,
): Promise<boolean> {
  const here = sharedTime(db.engine, now, shared)
  const kept = await db.transaction(trx =>
    trx
      .updateTable('periodic_jobs')
      .set({ lease_until: leaseFrom(here) })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .returning('name')
      .executeTakeFirst(),
  )
  return kept !== undefined
}

export interface Ending {
  readonly outcome: JobOutcome
  readonly result: JobFacts
  readonly nextRunAt: number
}

/** Releases the job and writes its result. A process that lost the lease meanwhile writes nothing. */
export async function finishRun(
  db: Database,
  name: string,
  holder: string,
  now: number,
  { outcome, result, nextRunAt }: Ending,
): Promise<void> {
  await db.transaction(trx =>
    trx
      .updateTable('periodic_jobs')
      .set({
        lease_until: null,
        holder: null,
        // A refusal is no run: the next one is still compared with the last that was.
        ...(outcome !== 'refused' && { finished_at: now }),
        outcome,
        result: JSON.stringify(result),
        next_run_at: nextRunAt,
      })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute(),
  )
}

/** Gives the job back undone: whoever looks next goes on with it. */
export async function releaseLease(db: Database, name: string, holder: string): Promise<void> {
  await db.transaction(trx =>
    trx
      .updateTable('periodic_jobs')
      .set({ lease_until: null, holder: null })
      .where('name', '=', name)
      .where('holder', '=', holder)
      .execute(),
  )
}

/**
 * Makes a job due now.
 * @param trustsClock somebody has looked at the clock: the time since the last run counts no more
 * @returns false when there is none of this name
 */
export async function askFor(
  db: Database,
  name: string,
  { now, trustsClock }: { readonly now: number; readonly trustsClock: boolean },
): Promise<boolean> {
  const asked = await db.transaction(trx =>
    trx
      .updateTable('periodic_jobs')
      .set({ next_run_at: now, ...(trustsClock && { finished_at: null }) })
      .where('name', '=', name)
      .returning('name')
      .executeTakeFirst(),
  )
  return asked !== undefined
}

export interface JobRecord {
  readonly name: string
  readonly nextRunAt: number
  /** null when nobody is at it. */
  readonly leaseUntil: number | null
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly outcome: JobOutcome | null
  readonly result: JobFacts
}

/**
 * Every job with its last run, by name.
 * @param now the clock of whoever asks, epoch ms UTC, by which the ends of leases are told; as they are written when missing
 * @param shared as in `acquireLease`
 */
export async function jobRecords(db: Reader, now?: number, shared?: Clock): Promise<readonly JobRecord[]> {
  const rows = await db
    .selectFrom('periodic_jobs')
    .selectAll()
    .$if(now !== undefined, query =>
      query.select(
        sql<number | null>`lease_until - ${sharedTime(engineOf(db), now!, shared)} + ${sql.lit(now!)}`.as(
          'told_until',
        ),
      ),
    )
    .orderBy('name')
    .execute()
  return rows.map(row => ({
    name: row.name,
    nextRunAt: row.next_run_at,
    leaseUntil: row.told_until ?? row.lease_until,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    outcome: row.outcome,
    result: JSON.parse(row.result ?? '{}') as JobFacts,
  }))
}
