import { tmpdir } from 'node:os'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type Database, OPERATOR_TIMEOUTS, openDatabase } from '#server/platform/db/database.ts'
import { VISITOR_TIMEOUTS } from '#server/platform/db/timeouts.ts'
import { anOrder } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startPooler, type TemporaryPooler } from '#tests/support/pooler.ts'

/** All who come share one connection, so that whatever one of them leaves on it meets the next. */
let pooler: TemporaryPooler
let test: TestDatabase
let visitors: Database
let operator: Database
beforeAll(async () => {
  test = await openTestDatabase('postgres')
  pooler = await startPooler(inject('postgresUrl'), { connections: 1 })
  const place = { dataDir: tmpdir(), databaseUrl: pooler.urlOf(test.location.databaseUrl ?? '') }
  visitors = await openDatabase(place)
  operator = await openDatabase({ ...place, timeouts: OPERATOR_TIMEOUTS })
})
afterAll(async () => {
  await Promise.all([visitors?.close(), operator?.close()])
  await pooler?.stop()
  await test?.close()
})

it('each transaction through a pooler has its own time limits', async () => {
  expect(await limitIn(operator)).toBe(OPERATOR_TIMEOUTS.answerMs * 0.9)
  expect(await limitIn(visitors)).toBe(VISITOR_TIMEOUTS.answerMs * 0.9)
})

it('nothing is left on a connection for whoever has it next', async () => {
  const before = await sessionState()
  await limitIn(operator)
  await limitIn(visitors)
  await visitors.transaction(trx => trx.insertInto('orders').values(anOrder()).execute())
  await operator.read(db => db.selectFrom('orders').select('id').where('id', '=', 'x').execute())
  await operator.guardsAmiss()
  await operator.scrub(['orders'])
  expect(await sessionState()).toEqual(before)
  expect(await visitors.statementLimitMs()).toBe(0)
})

it('the tables are as this version makes them, also when a pooler stands between', async () => {
  expect(await visitors.guardsAmiss()).toEqual([])
})

const limitIn = (db: Database): Promise<number> =>
  db.transaction(async trx => {
    const { rows } = await sql<{ setting: string }>`
      select setting from pg_settings where name = 'statement_timeout'`.execute(trx)
    return Number(rows[0]?.setting)
  })

/** What a session of PostgreSQL can keep beyond a transaction, as the one shared connection has it. */
const sessionState = () =>
  visitors.transaction(async trx => {
    const { rows } = await sql`
      select (select count(*)::int from pg_prepared_statements) as prepared,
        (select count(*)::int from pg_listening_channels()) as listening,
        (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
        (select string_agg(name || '=' || setting, ',' order by name) from pg_settings
          where source = 'session' and name not in ('statement_timeout', 'idle_in_transaction_session_timeout',
            'transaction_isolation', 'transaction_read_only', 'application_name')) as settings`.execute(trx)
    return rows[0]
  })
