import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lookAtClock } from '#server/app/schedule/clock.ts'
import { tryNow } from '#server/modules/gifts/confirmation-jobs.ts'
import { createChallenges } from '#server/modules/operator/challenges.ts'
import { keyFor } from '#server/modules/operator/signed.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CLOCKS_APART_MS, clockLead } from '#server/platform/db/database-time.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { jobRecords, LEASE_MS } from '#server/platform/job-runner/lease.ts'
import { enqueue } from '#server/platform/outbox/enqueue.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { mailsOf, oneEach, type Teller } from '#tests/support/told-once.ts'

const MINUTE = 60_000
const SIDE_BY_SIDE = 4

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

/** A server's clock, so many minutes ahead of the database's. */
const ahead = (minutes: number) => () => Date.now() + minutes * MINUTE

// An embedded database has one machine, and one clock.
describe.runIf(process.env.TEST_ENGINE === 'postgres')('of two servers, one', () => {
  describe.each([
    ['ahead', 5, 0],
    ['behind', -5, 0],
    ['ahead of a rival that is behind', 3, -3],
  ])('whose clock is %s', (_, first, second) => {
    it('has its jobs in hand alone, and the other does all that are left', async () => {
      const keys = Array.from({ length: 3 * SIDE_BY_SIDE }, (__, n) => `job ${n}`)
      const runAt = ahead(first)()
      await test.db.transaction(async trx => {
        for (const dedupeKey of keys)
          await enqueue(trx, { kind: 'mail', dedupeKey, payload: {}, runAt, queuedAt: runAt })
      })
      const done: string[] = []
      const all = Promise.withResolvers<void>()
      const open = Promise.withResolvers<void>()
      const slow = createWorker({
        db: test.db,
        clock: ahead(first),
        log: quietLog(),
        handlers: {
          async mail({ dedupeKey }) {
            done.push(dedupeKey)
            if (done.length === SIDE_BY_SIDE) all.resolve()
            await open.promise
          },
        },
      })
      const running = slow.runDue()
      await all.promise
      const rival = createWorker({
        db: await test.another(),
        clock: ahead(second),
        log: quietLog(),
        handlers: { mail: async ({ dedupeKey }) => void done.push(dedupeKey) },
      })
      expect(await rival.runDue()).toBe(keys.length - SIDE_BY_SIDE)
      expect(await rival.runDue()).toBe(0)
      open.resolve()
      expect(await running).toBe(SIDE_BY_SIDE)
      expect(done.toSorted()).toEqual(keys.toSorted())
      const rows = await test.db.read(db => db.selectFrom('jobs').select(['attempts', 'done_at']).execute())
      expect(rows.every(({ attempts, done_at: at }) => attempts === 1 && at !== null)).toBe(true)
    })

    it('has a periodic job to itself as long as it is at it, and tells until when by any clock', async () => {
      const begun: string[] = []
      const open = Promise.withResolvers<{ runs: number }>()
      const server = (name: string, clock: () => number, db: Database, work: Promise<{ runs: number }>) =>
        createJobs({
          db,
          clock,
          log: quietLog(),
          jobs: [
            {
              name: 'count',
              everyMs: MINUTE,
              run: () => {
                begun.push(name)
                return work
              },
            },
          ],
        })
      const running = server('first', ahead(first), test.db, open.promise).runDue()
      await expect.poll(() => begun).toEqual(['first'])
      const rival = server('second', ahead(second), await test.another(), Promise.resolve({ runs: 0 }))
      expect(await rival.runDue()).toEqual([])
      for (const clock of [ahead(first), ahead(second)]) {
        const [record] = await test.db.read(db => jobRecords(db, clock()))
        expect(Math.abs((record?.leaseUntil ?? 0) - clock() - LEASE_MS)).toBeLessThan(LEASE_MS / 2)
      }
      open.resolve({ runs: 1 })
      expect(await running).toEqual(['count'])
      expect(begun).toEqual(['first'])
    })

    it('makes challenges that the other takes, and takes the other’s, once', async () => {
      const key = keyFor('a secret', 'passkey challenges')
      const another = await test.another()
      const servers = [
        createChallenges(test.db, key, ahead(first)),
        createChallenges(another, key, ahead(second)),
      ]
      for (const [maker, taker] of [servers, servers.toReversed()]) {
        const challenge = (await maker?.make('sign-in')) ?? ''
        expect((await taker?.fitting('sign-in'))?.(challenge)).toBe(true)
        expect([await taker?.use(challenge), await maker?.use(challenge)]).toEqual([true, false])
      }
    })
  })

  it('brings forward no mail that the other has in hand', async () => {
    await test.db.transaction(trx =>
      enqueue(trx, { kind: 'mail', dedupeKey: 'a', payload: {}, runAt: Date.now(), queuedAt: Date.now() }),
    )
    const runAt = Date.now() + 60 * MINUTE
    await test.plant(`update jobs set run_at = ${runAt}, attempts = 1, lease_until = ${Date.now() + MINUTE}`)
    const row = () =>
      test.db.read(db => db.selectFrom('jobs').select(['id', 'run_at']).executeTakeFirstOrThrow())
    const { id } = await row()
    await test.db.transaction(trx => tryNow(trx, id, ahead(5)()))
    expect((await row()).run_at).toBe(runAt)
    await test.plant(`update jobs set lease_until = ${Date.now() - 1}`)
    await test.db.transaction(trx => tryNow(trx, id, ahead(-5)()))
    expect((await row()).run_at).toBeLessThan(runAt)
  })
})

describe('a server that compares its clock with the database’s', () => {
  const clock = fakeClock()
  let lead = 0
  const look = (log = quietLog()) =>
    lookAtClock({ db: test.db, clock, log, server: 'one', sharedClock: () => clock() - lead }).then(
      () => log.events,
    )
  beforeEach(() => {
    lead = 0
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres')('finds by how much it is wrong', async () => {
    for (const minutes of [-5, 0, 5])
      expect(Math.abs((await clockLead(test.db, ahead(minutes))) - minutes * MINUTE)).toBeLessThan(5_000)
  })

  it.runIf(process.env.TEST_ENGINE === 'postgres').each([1, -1])(
    'tells the operator once where they are more than thirty seconds apart, and again once it was right (%d)',
    async sign => {
      lead = sign * CLOCKS_APART_MS
      expect(await look()).toEqual([])
      lead = sign * (CLOCKS_APART_MS + 1)
      expect(await look()).toEqual(['clock-apart'])
      clock.advance(24 * 60 * MINUTE)
      expect(await look()).toEqual([])
      lead = 0
      expect(await look()).toEqual(['clock-together'])
      expect(await look()).toEqual([])
      lead = sign * MINUTE
      expect(await look()).toEqual(['clock-apart'])
    },
  )

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'tells it once where two processes of one machine look at the same moment',
    async () => {
      const [met, here] = [Promise.withResolvers<void>(), { count: 0 }]
      // Both have looked before either writes.
      const meeting = (db: Database): Database => ({
        ...db,
        async transaction(work) {
          here.count++
          if (here.count === 2) met.resolve()
          await met.promise
          return db.transaction(work)
        },
      })
      const dbs = [test.db, await test.another()]
      const told: string[] = []
      await Promise.all(
        dbs.map((db, n) =>
          lookAtClock({
            db: meeting(db),
            clock: () => clock() + n,
            log: {
              ...quietLog(),
              error: event => void told.push(event),
              queueAlarm: async () => void told.push('mail'),
            },
            server: 'one',
            sharedClock: () => clock() - MINUTE,
          }),
        ),
      )
      expect(told).toEqual(['mail', 'clock-apart'])
    },
  )

  it.runIf(process.env.TEST_ENGINE === 'postgres')(
    'tells it also where its process dies behind a commit',
    async () => {
      const told = await mailsOf('clock-apart', async round => {
        const act = ({ db, log }: Teller) =>
          lookAtClock({ db, log, clock, server: `server ${round}`, sharedClock: () => clock() - MINUTE })
        return { db: test.db, clock, act }
      })
      expect(told.length).toBeGreaterThan(1)
      expect(told).toEqual(oneEach(told))
    },
  )

  it.runIf(process.env.TEST_ENGINE !== 'postgres')(
    'has none to compare with where it is embedded',
    async () => {
      lead = 60 * MINUTE
      expect(await clockLead(test.db, clock)).toBe(0)
      expect(await look()).toEqual([])
    },
  )
})
