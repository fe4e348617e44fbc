import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { LEASE_MS } from '#server/platform/outbox/claim.ts'
import { enqueue, type NewJob } from '#server/platform/outbox/enqueue.ts'
import { letDoneJobsLeave } from '#server/platform/outbox/leave.ts'
import { createWorker, type Handler } from '#server/platform/outbox/worker.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const clock = fakeClock()
const START = clock()
const SECOND = 1_000
const MINUTE = 60 * SECOND

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.plant('delete from jobs')
  clock.set(START)
})

const queue = (dedupeKey: string, changes: Partial<NewJob> = {}) =>
  test.db.transaction(trx =>
    enqueue(trx, { kind: 'mail', dedupeKey, payload: { cardId: dedupeKey }, runAt: START, ...changes }),
  )
const worker = (handler: Handler, db: Database = test.db) =>
  createWorker({ db, clock, sharedClock: clock, handlers: { mail: handler }, log: quietLog() })
const rows = () => test.db.read(db => db.selectFrom('jobs').selectAll().orderBy('dedupe_key').execute())

describe('queueing', () => {
  it('takes a dedupe key once, also when asked twenty times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => queue('same')))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await rows()).toHaveLength(1)
  })

  it('queues nothing when the transaction around it fails', async () => {
    const failing = test.db.transaction(async trx => {
      await enqueue(trx, { kind: 'mail', dedupeKey: 'a', payload: {}, runAt: START })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await rows()).toEqual([])
  })

  it('does not take a key again after its job is done', async () => {
    await queue('a')
    await worker(async () => {}).runDue()
    expect(await queue('a')).toBe(false)
  })
})

describe('working', () => {
  it('hands each job over as it was queued, and never again once it is done', async () => {
    await queue('a')
    const seen: unknown[] = []
    const { runDue } = worker(async ({ kind, dedupeKey, payload, attempts }) => {
      seen.push({ kind, dedupeKey, payload, attempts })
    })
    expect(await runDue()).toBe(1)
    expect(await runDue()).toBe(0)
    expect(seen).toEqual([{ kind: 'mail', dedupeKey: 'a', payload: { cardId: 'a' }, attempts: 1 }])
    expect(await rows()).toMatchObject([{ done_at: START, lease_until: null, failed_reason: null }])
  })

  it('writes what goes with the end of a job once, when it worked or was given up, and by whoever has it', async () => {
    const ended: string[] = []
    const ending = (handler: Handler) =>
      createWorker({
        db: test.db,
        clock,
        sharedClock: clock,
        handlers: { mail: handler },
        whenDone: { mail: async (_, { dedupeKey, attempts }) => void ended.push(`${dedupeKey} ${attempts}`) },
        log: quietLog(),
      })
    await queue('works')
    await ending(async () => {}).runDue()
    await queue('never')
    await ending(async () => {
      throw Object.assign(new Error('no'), { permanent: true })
    }).runDue()
    await queue('later')
    await ending(async () => {
      throw new Error('not now')
    }).runDue()
    expect(ended).toEqual(['works 1', 'never 1'])
    clock.advance(MINUTE)
    // The first to have it loses its lease while it is at work, and the second one ends it.
    await ending(async () => {
      clock.advance(LEASE_MS)
      await ending(async () => {}).runDue()
    }).runDue()
    expect(ended).toEqual(['works 1', 'never 1', 'later 3'])
  })

  it('leaves visitors a turn between jobs that wait for nobody', async () => {
    for (let n = 0; n < 12; n++) await queue(`${n}`)
    let turns = 0
    let isOver = false
    const counting = (async () => {
      while (!isOver) {
        await nextTurn()
        turns++
      }
    })()
    const at: number[] = []
    expect(await worker(async () => void at.push(turns)).runDue()).toBe(12)
    isOver = true
    await counting
    expect(new Set(at).size).toBeGreaterThanOrEqual(3)
  })

  it('leaves alone what is not due yet and what it has no handler for', async () => {
    await queue('later', { runAt: START + 1, queuedAt: START })
    await queue('other', { kind: 'something-else' })
    const { runDue } = worker(async () => {})
    expect(await runDue()).toBe(0)
    clock.advance(1)
    expect(await runDue()).toBe(1)
  })

  it('tries a failing job again after 30 s · 2ⁿ, at most an hour, however often', async () => {
    await queue('a')
    const tries: number[] = []
    const { runDue } = worker(async () => {
      tries.push(clock())
      throw new Error('the mail server is away')
    })
    const waits = [30, 60, 120, 240, 480, 960, 1920, 3600, 3600].map(seconds => seconds * SECOND)
    for (const wait of waits) {
      expect(await runDue()).toBe(1)
      clock.advance(wait - 1)
      expect(await runDue()).toBe(0)
      clock.advance(1)
    }
    expect(tries).toHaveLength(waits.length)
  })

  it('forgets the reason of a failure once a later try works', async () => {
    await queue('a')
    let isBroken = true
    const { runDue } = worker(async () => {
      if (isBroken) throw Object.assign(new Error('to someone@example.org: no'), { code: 'ECONNREFUSED' })
    })
    await runDue()
    expect(await rows()).toMatchObject([{ failed_reason: 'ECONNREFUSED', done_at: null }])
    isBroken = false
    clock.advance(MINUTE)
    await runDue()
    expect(await rows()).toMatchObject([{ failed_reason: null, done_at: clock(), attempts: 2 }])
  })

  it('gives up what can never work, and keeps the reason but no words that may hold an address', async () => {
    await queue('a')
    await queue('b')
    const { runDue } = worker(async ({ dedupeKey }) => {
      const message = dedupeKey === 'a' ? 'invalid-address' : 'someone@example.org is none'
      throw Object.assign(new Error(message), { permanent: true })
    })
    await runDue()
    clock.advance(24 * 60 * MINUTE)
    expect(await runDue()).toBe(0)
    expect(await rows()).toMatchObject([
      { failed_reason: 'invalid-address', done_at: START },
      { failed_reason: 'Error', done_at: START },
    ])
  })

  it('takes over the job of a worker that died, once its lease is over', async () => {
    await queue('a')
    let died: () => void = () => {}
    const dying = new Promise<void>(resolve => {
      died = resolve
    })
    const first = worker(() => new Promise(() => died()))
    void first.runDue()
    await dying
    const second = worker(async () => {})
    clock.advance(LEASE_MS - 1)
    expect(await second.runDue()).toBe(0)
    clock.advance(1)
    expect(await second.runDue()).toBe(1)
  })

  it.each([
    ['hours', 10 * 60],
    ['minutes', 10],
  ])(
    'does not let a mail wait for a clock that was %s ahead when it was queued or failed',
    async (_, ahead) => {
      clock.advance(ahead * MINUTE)
      await queue('failed')
      let isAway = true
      const tried: string[] = []
      const { runDue } = worker(async ({ dedupeKey }) => {
        tried.push(dedupeKey)
        if (isAway) throw new Error('the mail server is away')
      })
      await runDue()
      await queue('queued', { runAt: clock() })
      clock.advance(-ahead * MINUTE)
      isAway = false
      tried.length = 0
      expect(await runDue()).toBe(2)
      expect(tried.toSorted()).toEqual(['failed', 'queued'])
      expect(await rows()).toMatchObject([{ done_at: START }, { done_at: START }])
    },
  )

  it('keeps to the backoff while the clock is right, and after it was put back and forward again', async () => {
    await queue('a')
    const { runDue } = worker(async () => {
      throw new Error('the mail server is away')
    })
    await runDue()
    for (const hours of [-10, 10]) {
      clock.advance(hours * 60 * MINUTE)
      clock.advance(-hours * 60 * MINUTE)
      expect(await runDue()).toBe(0)
    }
    clock.advance(30 * SECOND)
    expect(await runDue()).toBe(1)
    expect(await runDue()).toBe(0)
  })

  it('takes over the job of a worker that died under a clock that was ahead', async () => {
    clock.advance(10 * 60 * MINUTE)
    await queue('a')
    const hold = gate()
    const slow = worker(() => hold.entered()).runDue()
    await hold.isEntered
    clock.advance(-10 * 60 * MINUTE)
    expect(await worker(async () => {}).runDue()).toBe(1)
    expect(await rows()).toMatchObject([{ done_at: START, attempts: 2 }])
    hold.open()
    await slow
  })

  it('does not let a worker that was too slow undo what its successor has in hand', async () => {
    await queue('a')
    const slow = gate()
    const first = worker(async () => {
      await slow.entered()
      throw new Error('too late')
    })
    const firstRun = first.runDue()
    await slow.isEntered
    clock.advance(LEASE_MS)
    const successor = gate()
    const second = worker(() => successor.entered())
    const secondRun = second.runDue()
    await successor.isEntered
    slow.open()
    await firstRun
    expect(await rows()).toMatchObject([
      { attempts: 2, lease_until: clock() + LEASE_MS, failed_reason: null },
    ])
    successor.open()
    await secondRun
    expect(await rows()).toMatchObject([{ done_at: clock() }])
  })

  it('does each of forty jobs once when four workers on two connections share them', async () => {
    for (let n = 0; n < 40; n++) await queue(`job-${n}`)
    const second = await test.another()
    const done: string[] = []
    const workers = [test.db, second, test.db, second].map(db =>
      worker(async ({ dedupeKey }) => void done.push(dedupeKey), db),
    )
    await Promise.all(workers.map(each => each.runDue()))
    expect(done).toHaveLength(40)
    expect(new Set(done).size).toBe(40)
  })
})

describe('a running worker', () => {
  it('does what is queued as soon as it is told', async () => {
    const done = gate()
    const running = worker(async () => void done.entered())
    running.start()
    await queue('a')
    running.nudge()
    await done.isEntered
    await running.stop()
    expect(await rows()).toMatchObject([{ done_at: START }])
  })

  it('waits at its stop for the job in hand, and takes no other', async () => {
    await queue('a')
    const inHand = gate()
    const seen: string[] = []
    const running = worker(async ({ dedupeKey }) => {
      seen.push(dedupeKey)
      await inHand.entered()
    })
    running.start()
    await inHand.isEntered
    await queue('b')
    const stopped = running.stop()
    running.nudge()
    inHand.open()
    await stopped
    expect(seen).toEqual(['a'])
    expect(await rows()).toMatchObject([{ done_at: START }, { done_at: null, attempts: 0 }])
  })
})

/** A place where a handler waits until the test lets it go on. */
function gate() {
  let enter: () => void = () => {}
  let open: () => void = () => {}
  const isEntered = new Promise<void>(resolve => {
    enter = resolve
  })
  const isOpen = new Promise<void>(resolve => {
    open = resolve
  })
  return {
    isEntered,
    open: () => open(),
    entered() {
      enter()
      return isOpen
    },
  }
}

describe('a week after they were done', () => {
  const WEEK = 7 * 24 * 60 * MINUTE
  const done = async (dedupeKey: string, kind: string, handler: Handler = async () => {}) => {
    await queue(dedupeKey, { kind })
    await createWorker({ db: test.db, clock, handlers: { [kind]: handler }, log: quietLog() }).runDue()
  }
  const left = async () => (await rows()).map(({ dedupe_key }) => dedupe_key)

  it('jobs leave that nothing asks after, and the evidence that a card was sent stays', async () => {
    await done('reminded', 'reminder')
    await done('confirmed', 'confirmation')
    await queue('waiting', { kind: 'reminder' })
    clock.set(START + WEEK)
    await done('reminded later', 'reminder')
    expect(await letDoneJobsLeave(test.db, clock())).toBe(0)
    expect(await letDoneJobsLeave(test.db, clock() + 1)).toBe(1)
    expect(await letDoneJobsLeave(test.db, clock() + 1)).toBe(0)
    expect(await left()).toEqual(['confirmed', 'reminded later', 'waiting'])
  })

  it('what was given up stays for whoever looks for it', async () => {
    await done('given up', 'reminder', async () => {
      throw Object.assign(new Error('invalid-address'), { permanent: true })
    })
    expect(await letDoneJobsLeave(test.db, START + 2 * WEEK)).toBe(0)
    expect(await left()).toEqual(['given up'])
  })
})
