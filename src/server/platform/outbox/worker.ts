import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { claim, finish, type Job, postpone, type WhenDone } from '#server/platform/outbox/claim.ts'

/**
 * Does one job. It may be called again for the same job (a lost answer, a killed process), so it does its work
 * in a way that bears repeating, within the lease of 60 s. Throwing means: again later; an error whose
 * `permanent` is true means that no later try can succeed: the job is given up and stays with its reason.
 */
export type Handler = (job: Job) => Promise<void>

export interface WorkerOptions {
  readonly db: Database
  readonly clock: Clock
  /** By kind; jobs of other kinds are left alone. */
  readonly handlers: Readonly<Record<string, Handler>>
  /** By kind, where something is to be written with the end of a job. */
  readonly whenDone?: Readonly<Record<string, WhenDone>>
  readonly log: Log
  /** Another clock in the place of the database's, by which leases are written and judged. */
  readonly sharedClock?: Clock
}

export interface Worker {
  /** Does all that is due now, and what becomes due by it. @returns how many jobs were tried */
  runDue(): Promise<number>
  /** Goes on until stopped, looking for work every second. */
  start(): void
  /** Looks for work at once: something has just been queued. */
  nudge(): void
  /** Takes nothing new and waits for what is in hand. */
  stop(): Promise<void>
}

/** Jobs in hand at the same time. */
const SIDE_BY_SIDE = 4
const LOOK_EVERY_MS = 1_000

/** Any number of workers, in any number of processes, share the work. */
export function createWorker(options: WorkerOptions): Worker {
  const { db, clock, handlers, whenDone = {}, log, sharedClock } = options
  const kinds = Object.keys(handlers)
  let loop: Promise<void> | undefined
  let isStopping = false
  let isNudged = false
  let rest = new AbortController()

  async function run(job: Job): Promise<void> {
    try {
      await handlers[job.kind]?.(job)
    } catch (error) {
      log.error('job-failed', error, { kind: job.kind, job: job.id, attempts: job.attempts })
      const reason = reasonOf(error)
      return isPermanent(error)
        ? finish(db, job, clock(), reason, whenDone[job.kind])
        : postpone(db, job, clock(), reason)
    }
    await finish(db, job, clock(), null, whenDone[job.kind])
  }

  async function runDue(): Promise<number> {
    let tried = 0
    while (!isStopping) {
      const jobs = await claim(db, kinds, clock(), SIDE_BY_SIDE, sharedClock)
      if (jobs.length === 0) break
      const outcomes = await Promise.allSettled(jobs.map(run))
      tried += jobs.length
      const failure = outcomes.find(outcome => outcome.status === 'rejected')
      if (failure !== undefined) throw failure.reason
      // Work that waits for nobody (a mail that is not to be sent any more) would leave visitors no turn till the last.
      await nextTurn()
    }
    return tried
  }

  async function goOn(): Promise<void> {
    while (!isStopping) {
      isNudged = false
      try {
        await runDue()
      } catch (error) {
        // The database is away: the jobs are safe in it, and the next look may find it again.
        log.error('jobs-not-reached', error)
      }
      if (!isNudged && !isStopping)
        await wait(LOOK_EVERY_MS, undefined, { signal: rest.signal }).catch(() => {})
      rest = new AbortController()
    }
  }

  function nudge(): void {
    isNudged = true
    rest.abort()
  }

  return {
    runDue,
    start() {
      isStopping = false
      loop ??= goOn()
    },
    nudge,
    async stop() {
      isStopping = true
      rest.abort()
      await loop
      loop = undefined
    },
  }
}

function isPermanent(error: unknown): boolean {
  return error instanceof Error && 'permanent' in error && error.permanent === true
}

/** A word such as `smtp-450` or `provider-unavailable`. */
const CODE = /^[\w-]{1,60}$/

/** The part of a failure that the table keeps: a code or its kind. Whole sentences can hold an address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error ? String(error.code) : error.message
  return CODE.test(code) ? code : error.name
}
