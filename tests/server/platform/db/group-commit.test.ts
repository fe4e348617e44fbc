import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Writer } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { aJob } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(() => test.plant('delete from jobs'))

const add = (trx: Writer, key: string) => trx.insertInto('jobs').values(aJob(key)).execute()
const keys = () =>
  test.db.read(async db =>
    (await db.selectFrom('jobs').select('dedupe_key').orderBy('dedupe_key').execute()).map(
      ({ dedupe_key }) => dedupe_key,
    ),
  )
const NAMES = Array.from({ length: 100 }, (_, n) => `job ${String(n).padStart(3, '0')}`)

describe('transactions that are asked for at once', () => {
  it('are all kept, each with its own answer', async () => {
    const answers = await Promise.all(
      NAMES.map(name =>
        test.db.transaction(async trx => {
          await add(trx, name)
          return name
        }),
      ),
    )
    expect(answers).toEqual(NAMES)
    expect(await keys()).toEqual(NAMES)
  })

  it('leave nothing of those that fail, and all of the others', async () => {
    const fails = (n: number): boolean => n % 3 === 0
    const ends = await Promise.allSettled(
      NAMES.map((name, n) =>
        test.db.transaction(async trx => {
          await add(trx, name)
          if (fails(n)) throw new Error(name)
        }),
      ),
    )
    expect(ends.map(({ status }) => status === 'rejected')).toEqual(NAMES.map((_, n) => fails(n)))
    expect(await keys()).toEqual(NAMES.filter((_, n) => !fails(n)))
  })

  it('leave nothing of one that breaks a rule of the database, and all of the others', async () => {
    const ends = await Promise.allSettled(
      ['one', 'two', 'two', 'three'].map(name => test.db.transaction(trx => add(trx, name))),
    )
    expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(await keys()).toEqual(['one', 'three', 'two'])
  })

  it('see what was written before them, as one after the other would', async () => {
    const counted = await Promise.all(
      NAMES.map(name =>
        test.db.transaction(async trx => {
          // Two at once would both count the same on a database that lets them.
          if (test.engine === 'postgres') await sql`lock table jobs`.execute(trx)
          const { count } = await trx
            .selectFrom('jobs')
            .select(eb => eb.fn.countAll().as('count'))
            .executeTakeFirstOrThrow()
          await add(trx, name)
          return Number(count)
        }),
      ),
    )
    expect(counted.toSorted((a, b) => a - b)).toEqual(NAMES.map((_, n) => n))
  })
})

/** How the commit of a running transaction is kept, in the engine's own word. */
async function keptHow(trx: Writer): Promise<string> {
  const { rows } =
    test.engine === 'postgres'
      ? await sql<{ how: string }>`select current_setting('synchronous_commit') as how`.execute(trx)
      : await sql<{ how: string }>`select cast(synchronous as text) as how from pragma_synchronous`.execute(
          trx,
        )
  return rows[0]!.how
}
const [ON_DISK, LATER] = process.env.TEST_ENGINE === 'postgres' ? ['on', 'off'] : ['2', '1']

describe('a transaction', () => {
  it('is on the disk when it ends, unless it was said that it need not be', async () => {
    expect(await test.db.transaction(keptHow)).toBe(ON_DISK)
    expect(await test.db.transaction(keptHow, { durable: false })).toBe(LATER)
    expect(await test.db.transaction(keptHow, { durable: true })).toBe(ON_DISK)
  })

  it('is on the disk whoever came before it, and however that ended', async () => {
    const fails = () => test.db.transaction(() => Promise.reject(new Error('no')), { durable: false })
    const said = await Promise.allSettled([
      test.db.transaction(keptHow, { durable: false }),
      test.db.transaction(keptHow),
      fails(),
      test.db.transaction(keptHow),
      fails(),
    ])
    expect(said[1]).toEqual({ status: 'fulfilled', value: ON_DISK })
    expect(said[3]).toEqual({ status: 'fulfilled', value: ON_DISK })
    await expect(fails()).rejects.toThrow('no')
    expect(await test.db.transaction(keptHow)).toBe(ON_DISK)
  })
})

const inSqlite = describe.skipIf(process.env.TEST_ENGINE === 'postgres')

inSqlite('a shared commit of the embedded database', () => {
  it('takes in whoever waits, and answers nobody before it', async () => {
    const events: string[] = []
    const said = (event: string): void => {
      events.push(event)
    }
    await Promise.all(
      NAMES.slice(0, 3).map(name =>
        test.db
          .transaction(async trx => {
            await add(trx, name)
            said(`did ${name}`)
          })
          .then(() => said(`told ${name}`)),
      ),
    )
    expect(events.map(event => event.split(' ')[0])).toEqual(['did', 'did', 'did', 'told', 'told', 'told'])
  })

  it('takes in whoever comes before the next turn of the event loop', async () => {
    const events: string[] = []
    const write = (name: string) =>
      test.db
        .transaction(async trx => {
          await add(trx, name)
          events.push('did')
        })
        .then(() => events.push('told'))
    const first = write('first')
    // As long as nothing but promises is waited for, it is one turn.
    for (let n = 0; n < 1_000; n++) await undefined
    await Promise.all([first, write('second')])
    expect(events).toEqual(['did', 'did', 'told', 'told'])
  })

  it('is refused to the one whose writing it cannot hold, and to nobody else', async () => {
    let runs = 0
    const wrong = (trx: Writer) =>
      trx.insertInto('gift_messages').values({ order_id: 'nobody', words: 'hello', created_at: 1 }).execute()
    const ends = await Promise.allSettled([
      test.db.transaction(trx => add(trx, 'before')),
      test.db.transaction(async trx => {
        runs++
        await sql`pragma defer_foreign_keys = on`.execute(trx)
        await wrong(trx)
      }),
      test.db.transaction(trx => add(trx, 'after')),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(runs).toBe(2)
    expect(await keys()).toEqual(['after', 'before'])
  })

  it('loses nobody when the database takes all of it back by itself', async () => {
    const ends = await Promise.allSettled([
      test.db.transaction(trx => add(trx, 'before')),
      test.db.transaction(async trx => {
        await add(trx, 'itself')
        // As a full disk does.
        await sql`insert or rollback into jobs select * from jobs where dedupe_key = 'before'`.execute(trx)
        await sql`insert or rollback into jobs select * from jobs where dedupe_key = 'itself'`.execute(trx)
      }),
      test.db.transaction(trx => add(trx, 'after')),
    ])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await keys()).toEqual(['after', 'before'])
  })

  it('waits for another process that writes, as one alone does', async () => {
    const other = new DatabaseSync(join(test.location.dataDir, SQLITE_FILE))
    other.exec('begin immediate')
    const all = Promise.all(NAMES.slice(0, 5).map(name => test.db.transaction(trx => add(trx, name))))
    await test.db.read(async () => {})
    other.exec('commit')
    other.close()
    await all
    expect(await keys()).toEqual(NAMES.slice(0, 5))
  })
})
