import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepared } from '#server/platform/db/prepared.ts'
import { aJob } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
  await test.db.transaction(trx =>
    trx
      .insertInto('jobs')
      .values([aJob('early', 1), aJob('late', 9), aJob('other', 5, 'another')])
      .execute(),
  )
})
afterAll(() => test.close())

let built = 0
const keysBetween = prepared(['least', 'most'], (db, { least, most }) => {
  built++
  return db
    .selectFrom('jobs')
    .select('dedupe_key')
    .where('run_at', '<=', most)
    .where('kind', '=', 'test')
    .where('run_at', '>=', least)
    .orderBy('run_at')
})
const between = (least: number, most: number) =>
  test.db.read(async db => (await keysBetween(db, { least, most })).map(row => row.dedupe_key))

describe('a query that is built once', () => {
  it('is asked with the values of each call, in their places', async () => {
    expect(await between(0, 10)).toEqual(['early', 'late'])
    expect(await between(0, 5)).toEqual(['early'])
    expect(await between(5, 10)).toEqual(['late'])
    expect(await Promise.all([between(0, 1), between(9, 9), between(2, 8)])).toEqual([
      ['early'],
      ['late'],
      [],
    ])
    expect(built).toBe(1)
  })

  it('sees what the transaction has written that it is asked in, and only there', async () => {
    const kept = test.db.transaction(async trx => {
      await trx.insertInto('jobs').values(aJob('newest', 3)).execute()
      expect(await keysBetween(trx, { least: 2, most: 4 })).toEqual([{ dedupe_key: 'newest' }])
      throw new Error('taken back')
    })
    await expect(kept).rejects.toThrow('taken back')
    expect(await between(2, 4)).toEqual([])
  })
})
