import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createPace, LONGEST_PATIENCE_MS, type PaceOptions } from '#server/platform/pace/pace.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const PER_SECOND = 20
const APART_MS = 1_000 / PER_SECOND

let test: TestDatabase
let another: Database
beforeAll(async () => {
  test = await openTestDatabase()
  another = await test.another()
})
afterAll(() => test.close())

/** All processes have this clock in common, and each has one of its own that nobody puts. */
let common = 0
let own = 0
/** When each turn comes, by the common clock as it went on. */
let turns: number[] = []
let granted = 0
beforeEach(async () => {
  await test.plant('delete from paces')
  common = 1_000 * HOUR_MS
  own = 0
  turns = []
  granted = 0
})

const aProcess = (db: Database = test.db, options: Partial<PaceOptions> = {}) => {
  const pace = createPace({
    db,
    name: 'provider',
    perSecond: PER_SECOND,
    monotonic: () => own,
    commonUs: () => common * 1_000,
    sleep: async ms => void turns.push(common + ms),
    ...options,
  })
  return (patienceMs: number) =>
    pace.turn(patienceMs).then(() => {
      granted++
      // Nobody sleeps for a turn that is now.
      if (turns.length < granted) turns.push(common)
    })
}
const pass = (ms: number) => {
  common += ms
  own += ms
}
const outcomes = async (work: readonly Promise<void>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status === 'fulfilled')

it('gives the turns of two processes evenly, none to both, and refuses who would wait too long', async () => {
  const one = aProcess()
  const other = aProcess(another)
  const all: boolean[] = []
  // One after the other: each turn is known before the next is asked for.
  for (let n = 0; n < 30; n++) all.push(...(await outcomes([n % 2 ? one(1_000) : other(1_000)])))
  expect(turns.map(turn => turn - 1_000 * HOUR_MS)).toEqual(
    Array.from({ length: PER_SECOND + 1 }, (_, n) => n * APART_MS),
  )
  expect(all.filter(granted => !granted)).toHaveLength(30 - PER_SECOND - 1)
})

it('gives each turn once when many ask at once', async () => {
  const asking = [aProcess(), aProcess(another)]
  const granted = await outcomes(Array.from({ length: 100 }, (_, n) => asking[n % 2]!(LONGEST_PATIENCE_MS)))
  const row = await test.db.read(db => db.selectFrom('paces').select('next_at').executeTakeFirstOrThrow())
  // As far ahead as there were turns: none was given twice, none was lost.
  const given = (row.next_at / 1_000 - common) / APART_MS
  expect(given).toBe(granted.filter(Boolean).length)
  expect(given).toBe(100)
})

it('goes on giving turns to those with more patience', async () => {
  const ask = aProcess()
  while ((await outcomes([ask(500)]))[0]);
  const [impatient, patient] = [await outcomes([ask(500)]), await outcomes([ask(1_000)])]
  expect([impatient, patient]).toEqual([[false], [true]])
  await expect(ask(500)).rejects.toMatchObject({
    code: 'temporarily-unavailable',
    details: { retryAfterSeconds: 1 },
  })
})

it('asks the database no more often than turns come, however many press', async () => {
  const ask = aProcess()
  while ((await outcomes([ask(500)]))[0]);
  const before = turns.length
  await test.plant('delete from paces')
  // Refused from memory, although there is room by now.
  expect(await outcomes(Array.from({ length: 50 }, () => ask(500)))).not.toContain(true)
  pass(APART_MS)
  expect(await outcomes([ask(500)])).toEqual([true])
  expect(turns.length).toBe(before + 1)
})

it('saves up nothing while nobody asks', async () => {
  const ask = aProcess()
  await ask(0)
  pass(HOUR_MS)
  await outcomes(Array.from({ length: 3 }, () => ask(1_000)))
  // Three who ask at once may be answered in any order.
  const later = turns.slice(1).map(turn => turn - common)
  expect(later.sort((one, other) => one - other)).toEqual([0, APART_MS, 2 * APART_MS])
})

it.each([
  ['back', -HOUR_MS],
  ['ahead', HOUR_MS],
])('goes on at the same pace after the clock has stepped %s by an hour', async (_, step) => {
  const ask = aProcess()
  for (let n = 0; n < 5; n++) await ask(1_000)
  common += step
  turns = []
  granted = 0
  for (let n = 0; n < 5; n++) await ask(1_000)
  expect(turns.map(turn => turn - common)).toEqual([0, 1, 2, 3, 4].map(n => n * APART_MS))
})

it('takes the time from where all processes have the same', async () => {
  const ask = aProcess(test.db, { commonUs: undefined })
  for (let n = 0; n < 3; n++) await ask(1_000)
  const stored = await test.db.read(db => db.selectFrom('paces').select('next_at').executeTakeFirstOrThrow())
  const clock = test.engine === 'postgres' ? Date.now() : Number(process.hrtime.bigint() / 1_000_000n)
  expect(Math.abs(stored.next_at / 1_000 - clock)).toBeLessThan(10_000)
})
