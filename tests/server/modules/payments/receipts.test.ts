import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lettersOf } from '#domain/payment/document-number.ts'
import { receiptNumber } from '#domain/payment/receipts.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { numberRefund, numberSale } from '#server/modules/ledger/receipts.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { listReceipts } from '#server/modules/reports/receipts.ts'
import type { Tools } from '#server/ops/command.ts'
import { receipts } from '#server/ops/receipts.ts'
import { tools as migrationTools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import { CREATED_AT, type SoldCard, sellCard } from '#tests/builders/server.ts'
import { diesAt } from '#tests/support/crash-points.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER }

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const buy = () => fixture.buy({}, CARD.good)
const settle = async () => fixture.payments.settle((await buy()).sessionId)
/** Numbers without the letters of their order, which stand behind each one. */
const listed = async () =>
  (await fixture.test.db.read(db => listReceipts(db, ALWAYS))).map(({ number, orderId, amount, of }) => {
    const short = (each: string) => {
      expect(each.slice(-5)).toBe(`-${lettersOf(orderId)}`)
      return each.slice(0, -5)
    }
    return of === null ? `${short(number)} ${amount}` : `${short(number)} ${amount} of ${short(of)}`
  })
/** What is amiss with receipts: the rest of the books has tests of its own. */
const findings = async () =>
  (await checkLedger(fixture.test.db, { keys: fixture.deps.keys, now: fixture.clock() }))
    .filter(({ rule }) => rule.startsWith('receipt-'))
    .map(({ rule, subject }) => `${rule} ${subject}`)
const year = () => new Date(fixture.clock()).getUTCFullYear()
const S = (number: number) => receiptNumber({ series: 'sale', year: year(), number, letters: '' })
const R = (number: number) => receiptNumber({ series: 'refund', year: year(), number, letters: '' })
const totalOf = async () =>
  (await fixture.test.db.read(db => db.selectFrom('orders').selectAll().execute()))[0]!.total_amount

describe('the number of a receipt', () => {
  it('is the next of its year, one for each order that was paid and none for others', async () => {
    await buy()
    for (let n = 0; n < 3; n++) await settle()
    const total = await totalOf()
    expect(await listed()).toEqual([1, 2, 3].map(n => `${S(n)} ${total}`))
    expect(await findings()).toEqual([])
  })

  it('is drawn once, however often a payment is settled, and without a gap when many are settled at once', async () => {
    const sessions = await Promise.all(Array.from({ length: 6 }, async () => (await buy()).sessionId))
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    await Promise.all(
      [...sessions, ...sessions].map((session, n) => [fixture.payments, other][n % 2]!.settle(session)),
    )
    const total = await totalOf()
    expect(await listed()).toEqual([1, 2, 3, 4, 5, 6].map(n => `${S(n)} ${total}`))
    expect(await findings()).toEqual([])
  })

  it('comes with its order or not at all, killed at any statement', async () => {
    const { sessionId } = await buy()
    for (let step = 1; ; step++) {
      const mortal = diesAt(step)
      await createPayments({ ...fixture.deps, db: mortal.over(fixture.test.db) })
        .settle(sessionId)
        .catch(() => undefined)
      expect(await findings()).toEqual([])
      expect((await listed()).length).toBeLessThanOrEqual(1)
      if (mortal.survived()) break
    }
    await settle()
    expect((await listed()).map(each => each.split(' ')[0])).toEqual([S(1), S(2)])
  })

  it('begins with 1 every year, which ends at midnight in Madrid', async () => {
    const { test } = fixture
    const at = [Date.parse('2026-12-31T22:59:59Z'), Date.parse('2026-12-31T23:00:00Z')]
    for (const settled_at of at)
      await test.db.transaction(trx => sellCard(trx, { settled_at, created_at: settled_at }))
    expect((await listed()).map(each => each.split(' ')[0])).toEqual(['S2026-000001', 'S2027-000001'])
  })

  it('is never changed, deleted or used again, also by the database', async () => {
    await settle()
    const write = (change: string) =>
      fixture.test.db.transaction(async trx => {
        if (change === 'update') return trx.updateTable('receipt_numbers').set({ number: 9 }).execute()
        if (change === 'delete') return trx.deleteFrom('receipt_numbers').execute()
        const [row] = await trx.selectFrom('receipt_numbers').selectAll().execute()
        return trx
          .insertInto('receipt_numbers')
          .values({ ...row!, number: Number(change) })
          .execute()
      })
    for (const change of ['update', 'delete']) await expect(write(change)).rejects.toThrow('append-only')
    // The same number, and another one of the same order.
    for (const change of ['1', '2']) await expect(write(change)).rejects.toThrow(/unique/i)
  })

  it('has the letters of no other order behind it, also by the database', async () => {
    await settle()
    const write = (letters: string) =>
      fixture.test.db.transaction(async trx => {
        const row = await trx.selectFrom('receipt_numbers').selectAll().executeTakeFirstOrThrow()
        const another = { ...row, series: 'refund', number: 1, letters } as const
        await trx.insertInto('receipt_numbers').values(another).execute()
        throw new Error('it was taken')
      })
    await expect(write('ZZZU')).rejects.toThrow(/check/i)
    await expect(write('')).rejects.toThrow('it was taken')
  })
})

describe('what goes back', () => {
  it('has numbers of its own: each refund one, a refund that came back itself too', async () => {
    await settle()
    const { test, clock } = fixture
    const orders = await test.db.read(db => db.selectFrom('orders').selectAll().execute())
    const { id: orderId, total_amount: total } = orders[0]!
    for (const back of [500, 500, 1200, 700])
      await test.db.transaction(trx => numberRefund(trx, { orderId, back, at: clock() }))
    expect(await listed()).toEqual([
      `${S(1)} ${total}`,
      `${R(1)} 500 of ${S(1)}`,
      `${R(2)} 700 of ${S(1)}`,
      `${R(3)} -500 of ${S(1)}`,
    ])
  })

  it('is numbered with the books, once, when the provider says so', async () => {
    await settle()
    await fixture.refund()
    await fixture.deliver()
    const total = await totalOf()
    expect(await listed()).toEqual([`${S(1)} ${total}`, `${R(1)} ${total} of ${S(1)}`])
    expect(await findings()).toEqual([])
  })
})

describe('the check', () => {
  const orderOf = async (n: number) =>
    (await fixture.test.db.read(db => db.selectFrom('receipt_numbers').selectAll().execute())).find(
      ({ number }) => number === n,
    )!.order_id
  beforeEach(async () => {
    for (let n = 0; n < 3; n++) await settle()
  })

  it('names a gap and the order that has no number', async () => {
    const orderId = await orderOf(2)
    await fixture.test.plant('delete from receipt_numbers where number = 2')
    expect((await findings()).sort()).toEqual([`receipt-gap ${S(2)}`, `receipt-missing ${orderId}`])
  })

  it('names the last number where it was taken away, and a series that would draw one again', async () => {
    const orderId = await orderOf(3)
    await fixture.test.plant('delete from receipt_numbers where number = 3')
    expect((await findings()).sort()).toEqual([`receipt-gap ${S(3)}`, `receipt-missing ${orderId}`])
    await fixture.test.plant('update receipt_series set last = 1')
    expect(await findings()).toContain(`receipt-gap ${S(2)}`)
  })

  it('names a number that there is twice, and an order with two', async () => {
    const orderId = await orderOf(1)
    await fixture.test.plant(
      'drop index receipt_numbers_sale',
      `insert into receipt_numbers (series, year, number, order_id, amount, drawn_at)
        select series, year, 4, order_id, amount, drawn_at from receipt_numbers where number = 1`,
      'update receipt_series set last = 4',
    )
    expect(await findings()).toEqual([`receipt-double ${orderId}`])
    await fixture.test.plant(
      'alter table receipt_numbers rename to numbers_before',
      'create table receipt_numbers as select * from numbers_before',
      `insert into receipt_numbers select * from numbers_before where number = 2`,
    )
    expect((await findings()).sort()).toEqual(
      [`receipt-double ${orderId}`, `receipt-double ${await orderOf(2)}`, `receipt-double ${S(2)}`].sort(),
    )
  })

  it('names another amount, a number of what was not paid, and a refund without one', async () => {
    const [one, two] = [await orderOf(1), await orderOf(2)]
    await fixture.test.plant('update receipt_numbers set amount = amount + 1 where number = 1')
    expect(await findings()).toEqual([`receipt-differs ${one}`])
    await fixture.test.plant(
      'update receipt_numbers set amount = amount - 1 where number = 1',
      `insert into reversals (order_id, refunded, lost, taken, updated_at) values ('${two}', 100, 0, 0, 1)`,
    )
    expect(await findings()).toEqual([`receipt-missing ${two}`])
  })
})

describe('orders from before there were numbers', () => {
  it('have theirs in the order in which they were settled, and their refunds too', async () => {
    const { test } = fixture
    const at = [3, 1, 2].map(day => Date.UTC(2026, 2, day))
    const sold: SoldCard[] = []
    for (const settled_at of [...at, Date.UTC(2027, 5, 1)])
      sold.push(await test.db.transaction(trx => sellCard(trx, { settled_at, created_at: settled_at })))
    await test.plant(
      `insert into reversals (order_id, refunded, lost, taken, updated_at)
        values ('${sold[0]!.orderId}', 100, 0, 0, ${at[0]! + 5}), ('${sold[1]!.orderId}', 900000, 1, 0, ${at[0]! + 4})`,
      'drop table receipt_numbers',
      'drop table receipt_series',
      ...(test.engine === 'postgres' ? ['drop function receipt_numbers_refuse_change'] : []),
    )
    await test.plant('alter table certificates drop column letters')
    for (const step of MIGRATIONS)
      if (['0032-receipt-numbers', '0091-letters-of-numbers'].includes(step.name))
        await test.db.transaction(trx => step.up(migrationTools(test.engine, trx)))
    const rows = await test.db.read(db => listReceipts(db, ALWAYS))
    expect(
      rows.map(({ number, orderId }) => `${number} ${sold.findIndex(each => each.orderId === orderId)}`),
    ).toEqual([
      'S2026-000001 1',
      'S2026-000002 2',
      'S2026-000003 0',
      'S2027-000001 3',
      'R2026-000001 1',
      'R2026-000002 0',
    ])
    expect(await findings()).toEqual([])
    const next = await test.db.transaction(trx => sellCard(trx, { settled_at: at[0]!, created_at: at[0]! }))
    expect((await test.db.read(db => listReceipts(db, ALWAYS))).map(({ number }) => number)).toContain(
      `S2026-000004-${lettersOf(next.orderId)}`,
    )
  })
})

it('is listed by the operator, as a table and as CSV', async () => {
  await settle()
  const tools: Tools = {
    database: async () => fixture.test.db,
    place: { dataDir: '/nowhere' },
    environment: {},
    clock: fixture.clock,
    progress() {},
  }
  const tell = async (...args: string[]) => (await receipts.run(tools, args)).lines.join('\n')
  expect(await tell(String(year()))).toMatch(new RegExp(`${S(1)}-\\w{4} .* EUR`))
  expect(await tell(String(year()), '--csv')).toMatch(
    /^number,day,amount,currency,of,order\nS\d{4}-000001-\w{4},/,
  )
  expect(await tell(String(year() - 1))).toBe('(none)')
  await expect(tell('x')).rejects.toThrow('no year')
})

// Numbers are drawn where the tests' own sales are made as well.
it('is drawn by whatever books a sale', async () => {
  await fixture.test.db.transaction(trx => sellCard(trx))
  expect(await findings()).toEqual([])
  const again = fixture.test.db.transaction(trx =>
    numberSale(trx, { orderId: 'nothing', amount: 1, at: CREATED_AT }),
  )
  await expect(again).rejects.toThrow(/foreign key/i)
})
