import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createTokens } from '#server/platform/pace/tokens.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const USES = 20
const PER_MS = 1_000

let test: TestDatabase
let another: Database
let now = 0
beforeAll(async () => {
  test = await openTestDatabase()
  another = await test.another()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.plant('delete from paces')
  now = 1_000_000_000
})

const tokens = (db: Database, name = 'limit gateway') =>
  createTokens({ db, name, uses: USES, perMs: PER_MS, commonUs: () => now })

it('processes share what there is: no token is given twice, and none is lost', async () => {
  const both = [tokens(test.db), tokens(another)]
  const taken = await Promise.all(Array.from({ length: 30 }, (_, n) => both[n % 2]!.take(1)))
  expect(taken.filter(({ granted }) => granted === 1)).toHaveLength(USES)
  expect(taken.filter(({ granted }) => granted === 0).every(({ waitMs }) => waitMs === PER_MS / USES)).toBe(
    true,
  )
  now += 1_000 * PER_MS
  expect((await both[1]!.take(100)).granted).toBe(USES)
})

it('one kind of tokens is not another', async () => {
  expect((await tokens(test.db).take(100)).granted).toBe(USES)
  expect((await tokens(test.db, 'limit free-claim').take(1)).granted).toBe(1)
})

it('one row stands for each limit, however many visitors there are', async () => {
  for (let n = 0; n < 5; n++) await tokens(test.db).take(1)
  const rows = await test.db.read(db => db.selectFrom('paces').select('name').execute())
  expect(rows).toEqual([{ name: 'limit gateway' }])
})

it('tokens go on coming after the clock has stepped back by an hour, and no second burst', async () => {
  const shared = tokens(test.db)
  await shared.take(100)
  now -= HOUR_MS * 1_000
  expect(await shared.take(100)).toEqual({ granted: 0, waitMs: PER_MS / USES })
  now += (PER_MS / USES) * 1_000
  expect((await shared.take(100)).granted).toBe(1)
})

it('takes the time from where all processes have the same', async () => {
  const real = createTokens({ db: test.db, name: 'real', uses: USES, perMs: PER_MS })
  expect((await real.take(1)).granted).toBe(1)
  const row = await test.db.read(db => db.selectFrom('paces').select('next_at').executeTakeFirstOrThrow())
  const clock = test.engine === 'postgres' ? Date.now() : Number(process.hrtime.bigint() / 1_000_000n)
  expect(Math.abs(row.next_at / 1_000 - clock)).toBeLessThan(10_000)
})
