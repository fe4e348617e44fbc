import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type Writer } from '#server/platform/db/database.ts'
import { aJob } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(() => test.plant('delete from jobs'))

const add = (key: string, runAt?: number) => (trx: Writer) =>
  trx.insertInto('jobs').values(aJob(key, runAt)).execute()
const keys = () =>
  test.db.read(async db =>
    (await db.selectFrom('jobs').select('dedupe_key').execute()).map(row => row.dedupe_key),
  )

describe('a transaction', () => {
  it('keeps everything it wrote', async () => {
    await test.db.transaction(async trx => {
      await add('a')(trx)
      await add('b')(trx)
    })
    expect((await keys()).sort()).toEqual(['a', 'b'])
  })

  it('keeps nothing when it fails', async () => {
    const failing = test.db.transaction(async trx => {
      await add('a')(trx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await keys()).toEqual([])
  })

  it('is not seen from outside before it ends', async () => {
    let seen: string[] | undefined
    let look: () => void = () => {}
    const looked = new Promise<void>(resolve => {
      look = resolve
    })
    const outside = looked.then(async () => {
      seen = await keys()
    })
    await test.db.transaction(async trx => {
      await add('a')(trx)
      look()
      await outside
    })
    expect(seen).toEqual([])
    expect(await keys()).toEqual(['a'])
  })

  it('refuses the outer handle instead of hanging', async () => {
    for (const inner of [
      () => test.db.read(async () => 1),
      () => test.db.transaction(async () => 1),
      () => test.db.snapshot(async () => 1),
    ]) {
      await expect(test.db.transaction(inner)).rejects.toThrow('only its own handle')
    }
    await expect(keys()).resolves.toEqual([])
  })

  it('waits for its turn when fifty start at once on two connections', async () => {
    const second = await test.another()
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? test.db : second).transaction(add(`k${n}`))),
    )
    expect(await keys()).toHaveLength(50)
  })

  it('runs once when a rival writes between its reading and its writing', async () => {
    await test.db.transaction(add('a'))
    const second = await test.another()
    let runs = 0
    let rival: Promise<unknown> | undefined
    await test.db.transaction(async trx => {
      runs++
      await trx.selectFrom('jobs').selectAll().execute()
      rival ??= second.transaction(add('rival'))
      for (let n = 0; n < 20; n++) await nextTurn()
      await add('b')(trx)
    })
    await rival
    expect(runs).toBe(1)
    expect((await keys()).sort()).toEqual(['a', 'b', 'rival'])
  })

  it('loses no update of a value that many read and write again', async () => {
    await test.db.transaction(add('counter', 0))
    const second = await test.another()
    const increment = (trx: Writer) =>
      trx
        .updateTable('jobs')
        .set(eb => ({ attempts: eb('attempts', '+', 1) }))
        .execute()
    await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? test.db : second).transaction(increment)))
    const row = await test.db.read(db => db.selectFrom('jobs').select('attempts').executeTakeFirst())
    expect(row?.attempts).toBe(40)
  })

  it('reads back the largest safe whole number as it was written', async () => {
    await test.db.transaction(add('a', Number.MAX_SAFE_INTEGER))
    const row = await test.db.read(db => db.selectFrom('jobs').select('run_at').executeTakeFirst())
    expect(row?.run_at).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('fails rather than read a number that is not exact', async () => {
    await test.db.transaction(add('a'))
    await test.plant('update jobs set run_at = 9007199254740993')
    await expect(test.db.read(db => db.selectFrom('jobs').select('run_at').execute())).rejects.toThrow(
      RangeError,
    )
  })
})

describe('a snapshot', () => {
  it('does not see what is written while it reads', async () => {
    await test.db.transaction(add('before'))
    const second = await test.another()
    const seen = await test.db.snapshot(async db => {
      const first = await db.selectFrom('jobs').select('dedupe_key').execute()
      await second.transaction(add('during'))
      const again = await db.selectFrom('jobs').select('dedupe_key').execute()
      return [first.length, again.length]
    })
    expect(seen).toEqual([1, 1])
    expect(await keys()).toHaveLength(2)
  })
})

// PostgreSQL is set up by whoever runs it; the embedded file is ours to set up.
if (process.env.TEST_ENGINE === 'sqlite') {
  it('writes so that an answer given survives a power cut', async () => {
    const pragma = (name: string) =>
      test.db.transaction(async trx =>
        Object.values((await sql`pragma ${sql.raw(name)}`.execute(trx)).rows[0] ?? {}),
      )
    const FULL = 2
    expect(await pragma('journal_mode')).toEqual(['wal'])
    expect(await pragma('synchronous')).toEqual([FULL])
    expect(await pragma('secure_delete')).toEqual([1])
    expect(await pragma('foreign_keys')).toEqual([1])
    expect(await pragma('busy_timeout')).toEqual([20])
  })
}

describe('closing', () => {
  it('waits for what is running and refuses what comes after', async () => {
    const db = await openDatabase(test.location)
    const running = db.transaction(add('last'))
    const closed = db.close()
    await expect(db.read(async () => 1)).rejects.toThrow('closed')
    await closed
    await running
    expect(await keys()).toEqual(['last'])
  })
})
