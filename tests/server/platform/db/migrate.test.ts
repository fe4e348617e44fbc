import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { tools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import { anOrder } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
afterEach(() => test.close())

it('changes nothing when the tables are up to date', async () => {
  test = await openTestDatabase()
  const before = await test.dump()
  await (await openDatabase(test.location)).close()
  expect(await test.dump()).toBe(before)
})

it('makes the tables once when eight connections open a new database at once', async () => {
  test = await openTestDatabase()
  await drop(await test.tables())
  await Promise.all(Array.from({ length: 8 }, () => test.another()))
  const steps = (await test.dump()).split('\n').filter(line => line.startsWith('schema_steps'))
  expect(steps).toHaveLength(MIGRATIONS.length)
})

it('refuses a database that a newer version wrote', async () => {
  test = await openTestDatabase()
  await test.plant(`insert into schema_steps (name) values ('9999-from-the-future')`)
  await expect(openDatabase(test.location)).rejects.toThrow('newer than this program')
})

it('keeps nothing of a migration that fails', async () => {
  test = await openTestDatabase()
  // All tables but the last are missing: the step stops when it wants to make the one that is still there.
  await drop((await test.tables()).filter(table => table !== 'jobs'))
  const before = await test.dump()
  await expect(openDatabase(test.location)).rejects.toThrow('already exists')
  expect(await test.dump()).toBe(before)
  await expect(test.db.read(db => db.selectFrom('orders').selectAll().execute())).rejects.toThrow()
})

it('says of orders from before the terms had versions that they are from before', async () => {
  test = await openTestDatabase()
  await drop(await test.tables())
  const { terms_version: _, ...earlier } = anOrder()
  await test.db.transaction(async trx => {
    await sql`create table schema_steps (name text not null primary key)`.execute(trx)
    for (const step of MIGRATIONS) {
      if (step.name >= '0016') break
      await step.up(tools(test.engine, trx))
      await sql`insert into schema_steps (name) values (${step.name})`.execute(trx)
    }
    await trx
      .insertInto('orders')
      .values(earlier as typeof earlier & { terms_version: string })
      .execute()
  })
  const db = await test.another()
  const order = await db.read(reader => reader.selectFrom('orders').selectAll().executeTakeFirstOrThrow())
  expect(order).toMatchObject({ id: earlier.id, terms_version: 'before-versions', fulfilment_consent: null })
  const withoutTerms = db.transaction(trx =>
    trx
      .insertInto('orders')
      .values(anOrder({ terms_version: null as unknown as string }))
      .execute(),
  )
  await expect(withoutTerms).rejects.toThrow(/check/i)
})

async function drop(tables: readonly string[]): Promise<void> {
  const isPostgres = test.engine === 'postgres'
  await test.plant(
    ...tables.map(table => `drop table ${table}${isPostgres ? ' cascade' : ''}`),
    ...(isPostgres ? APPEND_ONLY.map(table => `drop function ${table}_refuse_change()`) : []),
  )
}

/** These tables bring a function of their own. */
const APPEND_ONLY = ['ledger_entries', 'draws', 'audit_log', 'checkpoints', 'legal_texts', 'legal_releases']
