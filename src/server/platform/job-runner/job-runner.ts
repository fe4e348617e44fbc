import { setTimeout as wait } from 'node:timers/promises'
import { DAY_MS } from '#domain/durations.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type JobFacts, type PeriodicJob, type Turn, TurnEnded } from '#server/platform/job-runner/job.ts'
import {
  acquireLease,
  finishRun,
  LEASE_MS,
  type Lease,
  registerJobs,
  releaseLease,
  renewLease,
} from '#server/platform/job-runner/lease.ts'
import { type Log, reasonOf } from '#server/platform/log.ts'

export interface JobsOptions {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly jobs: readonly PeriodicJob[]
  /** What a run does between its batches, given how long the last one took in ms; missing: rests as long. */
  readonly rest?: (batchMs: number) => Promise<unknown>
  /** Another clock in the place of the database's, by which leases are written and judged. */
  readonly sharedClock?: Clock
}

export interface Jobs {
  /** Does every job that is due and nobody has, beside each other. @returns the names of those done */
  runDue(): Promise<readonly string[]>
  /** Goes on until stopped, looking for what is due every two seconds. */
  start(): void
  /** Takes nothing new and waits for the batches in hand. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 2_000
/**
 * A site may be down for a month. After a longer silence a person looks at the clock first: what happens once a
 * year must not happen because a machine woke up in the wrong one.
 */
export const LONGEST_SILENCE_MS = 45 * DAY_MS
/** A run that failed is tried again after this, or sooner where the job comes oftener. */
const AFTER_FAILURE_MS = 10 * 60_000
/** So many failed runs in a row are no passing trouble any more: an hour of them, or half of one. */
const FAILS_OFTEN = 6

/**
 * Any number of processes share the jobs; each run is one process's. Different jobs run beside each other, in one
 * process as in many: what keeps the money right is the tables, and a long job holds no other.
 */
export function createJobs(options: JobsOptions): Jobs {
  const { db, clock, log, jobs, rest = restAsLong, sharedClock } = options
  let isStopping = false
  let loop: Promise<void> | undefined
  let pause = new AbortController()
  let isRegistered = false
  /** What this process is at, by name: a run that says nothing for longer than its lease is not begun beside itself. */
  const inHand = new Map<string, Promise<void>>()

  function turnOf(name: string, holder: string): Turn {
    let keptAt = clock()
    let begunAt = performance.now()
    return {
      async goOn() {
        if (isStopping) throw new TurnEnded('stopping')
        // Beside each other they leave visitors no less than one alone does.
        await rest((performance.now() - begunAt) * inHand.size)
        if (isStopping) throw new TurnEnded('stopping')
        if (Math.abs(clock() - keptAt) >= LEASE_MS / 3) {
          if (!(await renewLease(db, name, holder, clock(), sharedClock))) throw new TurnEnded('taken over')
          keptAt = clock()
        }
        begunAt = performance.now()
      },
    }
  }

  async function runOne(job: PeriodicJob, { holder, lastDoneAt, failures }: Lease): Promise<void> {
    const { name, everyMs, irreversible, failure } = job
    const end = (outcome: 'done' | 'failed' | 'refused', result: JobFacts) => {
      const delay = outcome === 'done' ? everyMs : Math.min(everyMs, AFTER_FAILURE_MS)
      return finishRun(db, name, holder, clock(), { outcome, result, nextRunAt: clock() + delay })
    }
    try {
      if (irreversible && lastDoneAt !== null && clock() - lastDoneAt > LONGEST_SILENCE_MS) {
        log.error('clock-not-believed', new Error(name), { work: name })
        return await end('refused', { reason: 'clock-not-believed' })
      }
      const facts = await job.run(turnOf(name, holder))
      await end('done', facts)
      log.info('job-done', { work: name, ...facts })
    } catch (error) {
      // A run that the end of the server interrupted did not fail.
      if (error instanceof TurnEnded || isStopping) return releaseLease(db, name, holder)
      const facts = { reason: reasonOf(error), failures: failures + 1 }
      log.error('periodic-work-failed', error, { work: name })
      if (failure !== undefined) log.error(failure, error, facts)
      else if (facts.failures >= FAILS_OFTEN) log.error('work-failing', error, { work: name, ...facts })
      await end('failed', facts)
    }
  }

  /** Begins what is due. @returns the names of it */
  async function begin(): Promise<readonly string[]> {
    if (!isRegistered) {
      await registerJobs(db, jobs, clock())
      isRegistered = true
    }
    const begun: string[] = []
    for (const job of jobs) {
      if (isStopping) break
      if (inHand.has(job.name)) continue
      const lease = await acquireLease(db, job, clock(), sharedClock)
      if (lease === undefined) continue
      const work = runOne(job, lease)
        .catch(notReached)
        .finally(() => inHand.delete(job.name))
      inHand.set(job.name, work)
      begun.push(job.name)
    }
    return begun
  }

  async function runDue(): Promise<readonly string[]> {
    const begun = await begin()
    await Promise.all(begun.map(name => inHand.get(name)))
    return begun
  }

  /** The database is away; what is due stays due. */
  const notReached = (error: unknown): void => log.error('jobs-not-reached', error)

  async function goOn(): Promise<void> {
    while (!isStopping) {
      await begin().catch(notReached)
      await wait(LOOK_EVERY_MS, undefined, { signal: pause.signal }).catch(() => {})
      pause = new AbortController()
    }
  }

  return {
    runDue,
    start() {
      isStopping = false
      loop ??= goOn()
    },
    async stop() {
      isStopping = true
      pause.abort()
      await loop
      await Promise.all(inHand.values())
      loop = undefined
    },
  }
}

/** Half of the time for the work, half for visitors. */
function restAsLong(batchMs: number): Promise<unknown> {
  return wait(Math.min(batchMs, 250))
}
