import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest'
import { type Database, openDatabase, type Reader } from '#server/platform/db/database.ts'
import { anOrder, keepTestTerms } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startHangingProxy } from '#tests/support/hanging-proxy.ts'
import { startPostgres } from '#tests/support/postgres.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

// Short, and longer than a busy machine takes to answer.
const SHORT_TIMEOUTS = { connectMs: 3_000, answerMs: 3_000 }
const write = (db: Database) => db.transaction(trx => trx.insertInto('orders').values(anOrder()).execute())
const orders = () => test.db.read(db => db.selectFrom('orders').select('id').execute())

it('waits out a rival that holds the lock', async () => {
  const rival = await holdLock()
  const waiting = write(test.db)
  for (let n = 0; n < 20; n++) await nextTurn()
  await rival.letGo()
  await waiting
  expect(await orders()).toHaveLength(1)
})

it('says that it is away for now when its place cannot be reached', async () => {
  const dataDir = join(test.location.dataDir, 'elsewhere')
  // A folder in the place of the file.
  if (test.engine === 'sqlite') mkdirSync(join(dataDir, 'database.sqlite'), { recursive: true })
  const databaseUrl =
    test.engine === 'postgres' ? 'postgres://nobody@localhost/none?host=/nowhere' : undefined
  await expect(openDatabase({ dataDir, databaseUrl })).rejects.toMatchObject({
    code: 'temporarily-unavailable',
  })
})

// Only PostgreSQL is reached over a connection that can be cut.
if (process.env.TEST_ENGINE === 'postgres') {
  it('goes on after its connections were cut, in the middle of a transaction too', async () => {
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    const cutShort = test.db.transaction(async trx => {
      await trx.insertInto('orders').values(anOrder()).execute()
      await test.plant(cut)
      await trx.insertInto('orders').values(anOrder()).execute()
    })
    await expect(cutShort).rejects.toMatchObject({ code: 'temporarily-unavailable', status: 503 })
    await write(test.db)
    expect(await orders()).toHaveLength(1)
  })

  it('does not wait for one that hangs, and goes on when it answers again', async () => {
    const proxy = await startHangingProxy(test.location.databaseUrl ?? '')
    const db = await openDatabase({ ...test.location, databaseUrl: proxy.url, timeouts: SHORT_TIMEOUTS })
    const away = { code: 'temporarily-unavailable', status: 503 }
    const read = () => db.read(reader => reader.selectFrom('orders').select('id').execute())
    try {
      await write(db)
      const cutShort = db.transaction(async trx => {
        await trx.insertInto('orders').values(anOrder()).execute()
        proxy.hang()
        await trx.insertInto('orders').values(anOrder()).execute()
      })
      await expect(cutShort).rejects.toMatchObject(away)
      await expect(read()).rejects.toMatchObject(away)
      await Promise.all(
        // More than there are connections.
        Array.from({ length: 15 }, () => expect(write(db)).rejects.toMatchObject(away)),
      )
      proxy.goOn()
      await write(db)
      expect(await read()).toHaveLength(2)
    } finally {
      proxy.stop()
      await db.close()
    }
  })

  it.each([
    ['is given up after a time', SHORT_TIMEOUTS, async () => {}],
    [
      'is broken off by the server',
      undefined,
      (client: pg.Client) => vi.waitUntil(() => breakOffWait(client), { timeout: 20_000 }),
    ],
  ])(
    'does not say that something is written which its synchronous standby does not have: the wait %s',
    async (_, timeouts, breakOff) => {
      const server = await startPostgres({ durable: false })
      const location = { dataDir: '', databaseUrl: server.url }
      const admin = await openDatabase(location)
      const db = await openDatabase({ ...location, ...(timeouts && { timeouts }) })
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      const standby = async (name: string) => {
        await client.query(`alter system set synchronous_standby_names = '${name}'`)
        await client.query('select pg_reload_conf()')
      }
      try {
        await admin.transaction(keepTestTerms)
        await write(db)
        await standby('nobody')
        await standbyIsAwaited(client, server.url)
        const refused = expect(write(db)).rejects.toMatchObject({
          code: 'temporarily-unavailable',
          status: 503,
        })
        await breakOff(client)
        await refused
        await standby('')
        // Whoever asks again is told what became of it.
        await expect
          .poll(() => admin.read(reader => reader.selectFrom('orders').select('id').execute()))
          .toHaveLength(2)
        await write(db)
      } finally {
        await client.end()
        await Promise.all([admin.close(), db.close()])
        await server.stop()
      }
    },
  )

  it('leaves a machine that takes no writes any more, since another may be first by now', async () => {
    const db = await openDatabase(test.location)
    const { pathname } = new URL(test.location.databaseUrl ?? '')
    const setting = async (value: string) => {
      const client = new pg.Client({ connectionString: inject('postgresUrl') })
      await client.connect()
      await client.query(`alter database ${pathname.slice(1)} ${value}`)
      await client.end()
    }
    await setting('set default_transaction_read_only = on')
    const away = { code: 'temporarily-unavailable', status: 503 }
    await expect(write(db)).rejects.toMatchObject(away)
    // Nor what it holds from before: it may be what no other machine has.
    const ids = (reader: Reader) => reader.selectFrom('orders').select('id').execute()
    await expect(db.confirmed(ids)).rejects.toMatchObject(away)
    await expect(db.transaction(ids)).rejects.toMatchObject(away)
    // Whoever comes at once has another connection already.
    expect(await db.read(ids)).toEqual([])
    await setting('reset default_transaction_read_only')
    await expect(write(db)).rejects.toMatchObject(away)
    await write(db)
    expect(await db.confirmed(ids)).toHaveLength(1)
    await db.close()
  })

  it('asks nobody to do again by itself what the database does not know the end of', async () => {
    let runs = 0
    const unknown = test.db.transaction(trx => {
      runs++
      return sql`do $$ begin raise exception 'who knows' using errcode = '40003'; end $$`.execute(trx)
    })
    await expect(unknown).rejects.toMatchObject({ code: 'temporarily-unavailable', status: 503 })
    expect(runs).toBe(1)
  })

  it('ends a statement that waits for a lock for too long', async () => {
    const db = await openDatabase({ ...test.location, timeouts: SHORT_TIMEOUTS })
    const rival = await holdLock()
    await expect(write(db)).rejects.toMatchObject({ code: 'temporarily-unavailable' })
    await rival.letGo()
    await write(db)
    expect(await orders()).toHaveLength(1)
    await db.close()
  })
}

/** Ends a commit's wait for its standby, and the server says that it has committed. @returns whether one waited */
async function breakOffWait(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
  )
  return rowCount === 1
}

/** Waits until commits wait for their standby: the process that tells the others of the setting may be late. */
async function standbyIsAwaited(client: pg.Client, databaseUrl: string): Promise<void> {
  const other = new pg.Client({ connectionString: databaseUrl })
  await other.connect()
  for (let awaited = false; !awaited; ) {
    let done = false
    const writing = other.query(`select pg_logical_emit_message(true, '', '')`).then(() => {
      done = true
    })
    while (!done && !awaited) awaited = await breakOffWait(client)
    await writing
  }
  await other.end()
}

async function holdLock(): Promise<{ letGo(): Promise<void> }> {
  if (test.location.databaseUrl === undefined) {
    const rival = new DatabaseSync(join(test.location.dataDir, 'database.sqlite'))
    rival.exec('begin immediate')
    return {
      async letGo() {
        rival.exec('commit')
        rival.close()
      },
    }
  }
  const rival = new pg.Client({ connectionString: test.location.databaseUrl })
  await rival.connect()
  await rival.query('begin')
  await rival.query('lock table orders in exclusive mode')
  return {
    async letGo() {
      await rival.query('commit')
      await rival.end()
    },
  }
}
