import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Writer } from '#server/platform/db/database.ts'
import { type MigrationTools, tools } from '#server/platform/db/migration-tools.ts'
import { anOrder, sellCard } from '#tests/builders/server.ts'
import { checkedWords } from '#tests/support/checked-words.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fill } from '../../../../bench/harness/seed-data.ts'

const FROM = 'ngo_amount >= 0'
const TO = 'ngo_amount >= -1'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
  // Its tables are no longer as they were made: no other test takes this database.
  if (test.engine === 'postgres') await test.plant()
})
afterEach(() => test.close())

const step = (up: (migration: MigrationTools) => Promise<void>): Promise<void> =>
  test.db.transaction(trx => up(tools(test.engine, trx)))

const put = (amounts: { ngo_amount: number; tax_amount?: number }): Promise<unknown> =>
  test.db.transaction(trx => trx.insertInto('orders').values(anOrder(amounts)).execute())

/** The names of the table's indexes, triggers and references, as the database tells them. */
async function guardsOf(table: string): Promise<readonly unknown[]> {
  const read = async (trx: Writer) =>
    test.engine === 'sqlite'
      ? await sql`select type, name, sql from sqlite_master
          where tbl_name = ${table} and type <> 'table' order by 1, 2`.execute(trx)
      : await sql`select 'index' as type, indexdef as name from pg_indexes where tablename = ${table}
          union all select 'trigger', pg_get_triggerdef(oid) from pg_trigger
            where tgrelid = ${table}::regclass and not tgisinternal
          union all select 'constraint', conname || pg_get_constraintdef(oid) from pg_constraint
            where contype <> 'c' and (conrelid = ${table}::regclass or confrelid = ${table}::regclass)
          order by 1, 2`.execute(trx)
  return (await test.db.transaction(read)).rows
}

describe('a CHECK that a step changes', () => {
  it('allows what its new text allows, and nothing else', async () => {
    await expect(put({ ngo_amount: -1 })).rejects.toThrow(/check/i)
    await step(({ changeChecks }) => changeChecks('orders', [{ from: FROM, to: TO }]))
    await put({ ngo_amount: -1 })
    await expect(put({ ngo_amount: -2 })).rejects.toThrow(/check/i)
    // The table's other CHECKs stand.
    await expect(put({ ngo_amount: 0, tax_amount: -1 })).rejects.toThrow(/check/i)
  })

  it('can be one of several that change together', async () => {
    await step(({ changeChecks }) =>
      changeChecks('orders', [
        { from: FROM, to: TO },
        { from: 'tax_amount between 0 and support_amount', to: 'tax_amount between -1 and support_amount' },
      ]),
    )
    await put({ ngo_amount: -1, tax_amount: -1 })
    await expect(put({ ngo_amount: -2 })).rejects.toThrow(/check/i)
    await expect(put({ ngo_amount: 0, tax_amount: -2 })).rejects.toThrow(/check/i)
  })

  it('can list words', async () => {
    await step(async ({ table, changeChecks }) => {
      await table('moods')
        .addColumn('mood', 'text', c => c.notNull().check(sql`mood in ('glad', 'sad')`))
        .execute()
      await changeChecks('moods', [
        { from: `mood in ('glad', 'sad')`, to: `mood in ('glad', 'calm', 'sad')` },
      ])
    })
    const words = await test.db.transaction(trx => checkedWords(trx, test.engine, 'moods', 'mood'))
    expect(words).toEqual(['calm', 'glad', 'sad'])
  })

  it('keeps the rows, those that refer to them, and every index and trigger', async () => {
    await test.db.transaction(async trx => {
      for (let n = 0; n < 3; n++) await sellCard(trx, { request_digest: `request ${n}` })
    })
    const [rows, guards] = [await test.dump(), await guardsOf('orders')]
    expect(guards.length).toBeGreaterThan(3)
    await step(({ changeChecks }) => changeChecks('orders', [{ from: FROM, to: TO }]))
    expect(await test.dump()).toBe(rows)
    expect(await guardsOf('orders')).toEqual(guards)
    // Cards refer to orders: still to these.
    await expect(
      test.db.transaction(trx => trx.deleteFrom('orders').where('status', '=', 'paid').execute()),
    ).rejects.toThrow(/foreign key/i)
  })

  it('takes no longer for each row, however many rows there are and refer to them', async () => {
    await fill(test.db, { name: 'filler', count: 5_000 })
    const [rows, guards] = [await test.dump(), await guardsOf('cards')]
    const began = process.cpuUsage()
    await step(({ changeChecks }) => changeChecks('cards', [{ from: 'credit > 0', to: 'credit > 1' }]))
    const { user, system } = process.cpuUsage(began)
    // A third of a second; where each row has the entries of all looked through it is half a minute.
    expect((user + system) / 1e6).toBeLessThan(3)
    expect(await test.dump()).toBe(rows)
    expect(await guardsOf('cards')).toEqual(guards)
  })

  it('leaves an append-only table append-only', async () => {
    await test.db.transaction(trx => sellCard(trx))
    await step(async ({ trx, integer, table, appendOnly, changeChecks }) => {
      await table('notes')
        .addColumn('n', integer, c => c.notNull().primaryKey().check(sql`n < 10`))
        .execute()
      await appendOnly('notes')
      await sql`insert into notes values (1)`.execute(trx)
      await changeChecks('notes', [{ from: 'n < 10', to: 'n < 20' }])
      await sql`insert into notes values (11)`.execute(trx)
    })
    for (const change of ['update notes set n = 2', 'delete from notes'])
      await expect(test.db.transaction(trx => sql.raw(change).execute(trx))).rejects.toThrow(/append-only/)
  })

  it('is not changed where a row does not pass: nothing is', async () => {
    await put({ ngo_amount: 5 })
    const [rows, guards] = [await test.dump(), await guardsOf('orders')]
    const narrower = 'ngo_amount >= 10'
    await expect(
      step(({ changeChecks }) => changeChecks('orders', [{ from: FROM, to: narrower }])),
    ).rejects.toThrow(/check/i)
    expect(await test.dump()).toBe(rows)
    expect(await guardsOf('orders')).toEqual(guards)
    await put({ ngo_amount: 0 })
  })

  it('has to be there once', async () => {
    await expect(
      step(({ changeChecks }) => changeChecks('orders', [{ from: `status = 'open'`, to: TO }])),
    ).rejects.toThrow("CHECK (status = 'open') 0 times")
  })

  it.runIf(process.env.TEST_ENGINE !== 'postgres')(
    'is not changed where a reference leads nowhere',
    async () => {
      const card = await test.db.transaction(trx => sellCard(trx))
      await test.plant(`delete from orders where id = '${card.orderId}'`)
      await expect(
        step(({ changeChecks }) => changeChecks('orders', [{ from: FROM, to: TO }])),
      ).rejects.toThrow(/refers to no row of orders/)
    },
  )
})
