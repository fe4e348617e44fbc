import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase | undefined
afterEach(() => test?.close())

describe.runIf(process.env.TEST_ENGINE === 'postgres')('a user who may not create a schema', () => {
  it('is told that the guards were not compared, and hears of nothing else', async () => {
    const database = await openTestDatabase()
    test = database
    const clerk = `clerk_${randomBytes(6).toString('hex')}`
    await database.plant(
      `create role ${clerk} login`,
      `grant all on schema public to ${clerk}`,
      `grant all on all tables in schema public to ${clerk}`,
    )
    const url = new URL(database.location.databaseUrl ?? '')
    url.username = clerk
    const db = await openDatabase({ ...database.location, databaseUrl: url.href })
    try {
      expect(await db.guardsAmiss()).toEqual([
        'not compared: the user of the database may not create a schema',
      ])
    } finally {
      await db.close()
      await database.plant(`drop owned by ${clerk}`, `drop role ${clerk}`)
    }
  })
})
