import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import type { PeriodicJob, Turn } from '#server/platform/job-runner/job.ts'
import { createJobs, type Jobs, LONGEST_SILENCE_MS } from '#server/platform/job-runner/job-runner.ts'
import { askFor, jobRecords, LEASE_MS } from '#server/platform/job-runner/lease.ts'
import { withLease } from '#server/platform/job-runner/with-lease.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let log: ReturnType<typeof quietLog>
let runs: number
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  log = quietLog()
  runs = 0
})
afterEach(() => test.close())

/** A process with one job; each run counts. */
const processWith = (changes: Partial<PeriodicJob> = {}, db = test.db): Jobs =>
  createJobs({
    db,
    clock,
    sharedClock: clock,
    log,
    rest: () => nextTurn(),
    jobs: [{ name: 'count', everyMs: HOUR_MS, run: async () => ({ runs: ++runs }), ...changes }],
  })
const record = async (name = 'count') => (await test.db.read(jobRecords)).find(record => record.name === name)

it('runs a job once when it is new, then once in its time', async () => {
  const jobs = processWith()
  expect(await jobs.runDue()).toEqual(['count'])
  expect(await jobs.runDue()).toEqual([])
  clock.advance(HOUR_MS - 1)
  expect(await jobs.runDue()).toEqual([])
  clock.advance(1)
  expect(await jobs.runDue()).toEqual(['count'])
  expect(runs).toBe(2)
})

it('writes down the last run, its result and the next', async () => {
  await processWith().runDue()
  expect(await record()).toEqual({
    name: 'count',
    startedAt: clock(),
    finishedAt: clock(),
    nextRunAt: clock() + HOUR_MS,
    leaseUntil: null,
    outcome: 'done',
    result: { runs: 1 },
  })
})

it('runs a job in one of many processes', async () => {
  const others = await Promise.all([test.another(), test.another(), test.another()])
  const processes = others.map(db => processWith({}, db))
  const done = await Promise.all(processes.map(each => each.runDue()))
  expect(done.flat()).toEqual(['count'])
  expect(runs).toBe(1)
})

it('lets nobody else begin while one is at it, and whoever comes after its lease take over', async () => {
  const rival = processWith({}, await test.another())
  let heard: unknown
  const job = processWith({
    async run(turn: Turn) {
      expect(await rival.runDue()).toEqual([])
      clock.advance(LEASE_MS)
      expect(await rival.runDue()).toEqual(['count'])
      await turn.goOn().catch(error => {
        heard = error
        throw error
      })
      return { runs: 99 }
    },
  })
  await job.runDue()
  expect(heard).toMatchObject({ name: 'TurnEnded' })
  // What the late one found is not written over what the other one did.
  expect((await record())?.result).toEqual({ runs: 1 })
})

it('keeps its job as long as it says so', async () => {
  const rival = processWith({}, await test.another())
  await processWith({
    async run(turn: Turn) {
      for (let n = 0; n < 5; n++) {
        clock.advance(LEASE_MS / 2)
        await turn.goOn()
        expect(await rival.runDue()).toEqual([])
      }
      return { runs: 7 }
    },
  }).runDue()
  expect((await record())?.result).toEqual({ runs: 7 })
})

it('keeps its job while a process of its own does the work, also where the database was away for a moment', async () => {
  const rival = processWith({}, await test.another())
  const begun: string[] = []
  await processWith({
    async run(turn: Turn) {
      let times = 0
      const elsewhere = Promise.withResolvers<{ runs: number }>()
      const goOn = async () => {
        times++
        if (times === 1) throw new Error('away')
        clock.advance(LEASE_MS / 2)
        await turn.goOn()
        begun.push(...(await rival.runDue()))
        if (times === 5) elsewhere.resolve({ runs: 7 })
      }
      return withLease({ goOn }, elsewhere.promise, 1)
    },
  }).runDue()
  expect(begun).toEqual([])
  expect((await record())?.result).toEqual({ runs: 7 })
})

it('tries a failed run again after ten minutes, and keeps the kind of the failure alone', async () => {
  const jobs = processWith({ run: () => Promise.reject(new RangeError('of buyer@example.org')) })
  await jobs.runDue()
  expect(await record()).toMatchObject({
    outcome: 'failed',
    result: { reason: 'RangeError' },
    nextRunAt: clock() + HOUR_MS / 6,
  })
  expect(log.events).toContain('periodic-work-failed')
})

it('tells of a job that fails six times in a row, and of one that may not wait at the first', async () => {
  let isWell = false
  const jobs = processWith({
    run: () => (isWell ? Promise.resolve({}) : Promise.reject(new RangeError('x'))),
  })
  const alarms = () => log.events.filter(event => event === 'work-failing').length
  const runAgain = async () => {
    await jobs.runDue()
    clock.advance(HOUR_MS)
  }
  for (let n = 0; n < 5; n++) await runAgain()
  expect(alarms()).toBe(0)
  await runAgain()
  expect(alarms()).toBe(1)
  expect((await record())?.result).toEqual({ reason: 'RangeError', failures: 6 })
  isWell = true
  await runAgain()
  isWell = false
  for (let n = 0; n < 5; n++) await runAgain()
  expect(alarms()).toBe(1)
  await processWith({
    name: 'urgent',
    failure: 'urgent-failed',
    run: () => Promise.reject(new Error()),
  }).runDue()
  expect(log.events).toContain('urgent-failed')
})

it('goes on with a run that a stop cut short, at the next start', async () => {
  let jobs: Jobs
  const stopping = processWith({
    async run(turn: Turn) {
      void jobs.stop()
      await turn.goOn()
      return {}
    },
  })
  jobs = stopping
  await stopping.runDue()
  expect(await record()).toMatchObject({ leaseUntil: null, outcome: null })
  expect(await processWith().runDue()).toEqual(['count'])
})

it('runs a job that the operator asks for', async () => {
  const jobs = processWith()
  await jobs.runDue()
  expect(await askFor(test.db, 'nothing', { now: clock(), trustsClock: false })).toBe(false)
  expect(await askFor(test.db, 'count', { now: clock(), trustsClock: false })).toBe(true)
  expect(await jobs.runDue()).toEqual(['count'])
})

it('does not wait for what a clock that was ahead wrote down', async () => {
  const jobs = processWith()
  clock.advance(400 * 24 * HOUR_MS)
  await jobs.runDue()
  clock.advance(-400 * 24 * HOUR_MS)
  expect(await jobs.runDue()).toEqual(['count'])
})

it('does nothing that cannot be undone after a leap of the clock, until the operator has looked at it', async () => {
  const jobs = processWith({ irreversible: true })
  await jobs.runDue()
  clock.advance(LONGEST_SILENCE_MS + HOUR_MS)
  for (let n = 0; n < 2; n++) {
    await jobs.runDue()
    expect(await record()).toMatchObject({ outcome: 'refused', result: { reason: 'clock-not-believed' } })
    clock.advance(HOUR_MS)
  }
  expect(log.events).toContain('clock-not-believed')
  expect(runs).toBe(1)
  await askFor(test.db, 'count', { now: clock(), trustsClock: true })
  await jobs.runDue()
  expect(runs).toBe(2)
})

it('goes on by itself after a month of silence', async () => {
  const jobs = processWith({ irreversible: true })
  await jobs.runDue()
  clock.advance(30 * 24 * HOUR_MS)
  await jobs.runDue()
  expect(runs).toBe(2)
})

it('looks for work by itself, and ends when it is told', async () => {
  const jobs = processWith()
  jobs.start()
  await expect.poll(() => runs).toBe(1)
  await jobs.stop()
})

it('does what is due beside a job that takes long, and begins no job beside itself', async () => {
  const long = Promise.withResolvers<{ runs: number }>()
  let begun = 0
  const makeBook = () => {
    begun++
    return long.promise
  }
  const jobs = createJobs({
    db: test.db,
    clock,
    sharedClock: clock,
    log,
    jobs: [
      { name: 'book', everyMs: HOUR_MS, run: makeBook },
      { name: 'count', everyMs: HOUR_MS, run: async () => ({ runs: ++runs }) },
    ],
  })
  const first = jobs.runDue()
  // The database shows it before the process that did it has heard so.
  await expect.poll(() => log.events).toContain('job-done')
  // Its lease has run out without a word of it.
  clock.advance(HOUR_MS)
  expect(await jobs.runDue()).toEqual(['count'])
  expect({ begun, runs }).toEqual({ begun: 1, runs: 2 })
  const stopped = jobs.stop()
  long.resolve({ runs: 0 })
  await stopped
  expect(await first).toEqual(['book', 'count'])
  expect(await record('book')).toMatchObject({ outcome: 'done' })
})
