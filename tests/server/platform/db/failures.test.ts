import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { anOrder } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { startHangingProxy } from '#tests/support/hanging-proxy.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

const SHORT_TIMEOUTS = { connectMs: 500, answerMs: 500 }
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
