import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { sellCards, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fill } from '../../../bench/harness/seed-data.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

describe('what the benchmarks put into a database', () => {
  it('passes every check of the books', async () => {
    const now = Date.now()
    await beginCounts(test.db, testKeys, now)
    await fill(test.db, { name: 'filler', count: 3 })
    await fill(test.db, { name: 'due', count: 3, dueAt: now })
    await sellCards(test.db, 2)
    expect(await checkLedger(test.db, { keys: testKeys, now })).toEqual([])
  })
})
