import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { payoutsCsv } from '#server/modules/payouts/csv.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import { cancelPayout, createPayout, markPaid, markUnpaid, payouts } from '#server/modules/payouts/payouts.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
})
afterEach(() => test.close())

/** A card of 50 given whole, `points` to each organisation. */
async function give(
  points: Readonly<Record<string, number>>,
  currency: 'EUR' | 'USD' = 'EUR',
): Promise<void> {
  const card = await test.db.transaction(trx => sellCard(trx, { currency }))
  const ngoIds = Object.keys(points)
  const cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ngoIds })
  await cards.redeem(
    card.privateKey,
    ngoIds.map(ngoId => ({ ngoId, points: points[ngoId]! })),
  )
}
const owedNow = () => test.db.read(owed)
const pay = (ngoId = 'msf', givenBefore?: number) =>
  createPayout(test.db, { ngoId, currency: 'EUR', givenBefore }, clock())

describe('what is owed', () => {
  it('is summed by organisation and currency, with the age of the oldest', async () => {
    await give({ msf: 30, cerf: 20 })
    clock.advance(DAY_MS)
    await give({ msf: 50 })
    await give({ msf: 50 }, 'USD')
    expect(await owedNow()).toEqual([
      { ngoId: 'cerf', currency: 'EUR', amount: 2000, allocations: 1, oldestAt: CREATED_AT },
      { ngoId: 'msf', currency: 'EUR', amount: 8000, allocations: 2, oldestAt: CREATED_AT },
      { ngoId: 'msf', currency: 'USD', amount: 5000, allocations: 1, oldestAt: CREATED_AT + DAY_MS },
    ])
  })
})

describe('a payout', () => {
  it('takes all that one organisation is owed in one currency, and the books follow', async () => {
    await give({ msf: 30, cerf: 20 })
    await give({ msf: 50 })
    const payout = await pay()
    expect(payout).toMatchObject({ ngo_id: 'msf', currency: 'EUR', amount: 8000, status: 'open' })
    expect((await owedNow()).map(({ ngoId }) => ngoId)).toEqual(['cerf'])
    expect(await checkLedger(test.db)).toEqual([])
    await markPaid(test.db, { id: payout.id, reference: 'SEPA 7' }, clock())
    expect(await checkLedger(test.db)).toEqual([])
    const sums = await test.db.read(db =>
      db
        .selectFrom('ledger_entries')
        .select('account')
        .select(eb => eb.fn.sum('amount').as('sum'))
        .where('account', 'in', ['ngo:msf', 'payouts-open', 'payouts'])
        .groupBy('account')
        .orderBy('account')
        .execute(),
    )
    expect(sums.map(({ account, sum }) => [account, Number(sum)])).toEqual([
      ['ngo:msf', 0],
      ['payouts', 8000],
      ['payouts-open', 0],
    ])
  })

  it('leaves what was given later for the next one', async () => {
    await give({ msf: 50 })
    clock.advance(DAY_MS)
    await give({ msf: 50 })
    expect((await pay('msf', CREATED_AT + 1)).amount).toBe(5000)
    expect((await pay()).amount).toBe(5000)
  })

  it('of nothing is refused, and nothing is kept of it', async () => {
    await give({ msf: 50 })
    const before = await test.dump()
    await expect(pay('cerf')).rejects.toMatchObject({
      name: 'PayoutRefused',
      message: expect.stringContaining('Nothing is owed'),
    })
    expect(await test.dump()).toBe(before)
  })

  it('never holds what another one holds, however many are made at once', async () => {
    for (let n = 0; n < 8; n++) await give({ msf: 30, cerf: 20 })
    const others = await Promise.all([test.db, test.another(), test.another(), test.another()])
    const made = await Promise.allSettled(
      others.map(db => createPayout(db, { ngoId: 'msf', currency: 'EUR' }, clock())),
    )
    const amounts = made.flatMap(each => (each.status === 'fulfilled' ? [each.value.amount] : []))
    expect(amounts).toEqual([24_000])
    for (const each of made) if (each.status === 'rejected') expect(each.reason.name).toBe('PayoutRefused')
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('is refused by the database itself when it would hold an allocation twice', async () => {
    await give({ msf: 50 })
    const { id } = await pay()
    const again = test.db.transaction(async trx => {
      const row = await trx.selectFrom('payout_allocations').selectAll().executeTakeFirstOrThrow()
      await trx
        .insertInto('payouts')
        .values({ id: 'second', ngo_id: 'msf', currency: 'EUR', amount: 5000, status: 'open', created_at: 1 })
        .execute()
      await trx
        .insertInto('payout_allocations')
        .values({ ...row, payout_id: 'second' })
        .execute()
    })
    await expect(again).rejects.toThrow(/unique/i)
    expect((await test.db.read(db => payouts(db))).map(each => each.id)).toEqual([id])
  })

  it('is paid once; the same said again changes nothing, another reference is refused', async () => {
    await give({ msf: 50 })
    const { id } = await pay()
    const paid = await Promise.all(
      [test.db, await test.another()].map(db => markPaid(db, { id, reference: 'SEPA 7' }, clock())),
    )
    expect(paid.map(({ reference }) => reference)).toEqual(['SEPA 7', 'SEPA 7'])
    await expect(markPaid(test.db, { id, reference: 'SEPA 8' }, clock())).rejects.toThrow('"SEPA 7"')
    await expect(markPaid(test.db, { id: 'none', reference: 'x' }, clock())).rejects.toThrow('no such payout')
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('that was noted as paid by mistake waits again, is paid once more or cancelled, and the books follow', async () => {
    await give({ msf: 50 })
    const { id } = await pay()
    const on = async (...accounts: readonly string[]) => {
      const rows = await test.db.read(db => db.selectFrom('ledger_entries').selectAll().execute())
      return accounts.map(account =>
        rows.filter(row => row.account === account).reduce((sum, { amount }) => sum + amount, 0),
      )
    }
    const state = async () => (await test.db.read(reader => payouts(reader)))[0]
    for (let time = 1; time <= 3; time++) {
      await markPaid(test.db, { id, reference: `SEPA ${time}` }, clock())
      expect(await on('payouts-open', 'payouts')).toEqual([0, 5_000])
      expect(await checkLedger(test.db)).toEqual([])
      // The same said twice is said once.
      for (let n = 0; n < 2; n++) await markUnpaid(test.db, id, clock())
      expect(await state()).toMatchObject({
        status: 'open',
        reference: null,
        paid_at: null,
        taken_back: time,
      })
      expect(await on('payouts-open', 'payouts')).toEqual([5_000, 0])
      expect(await checkLedger(test.db)).toEqual([])
    }
    await cancelPayout(test.db, id, clock())
    expect(await on('payouts-open', 'payouts', 'ngo:msf')).toEqual([0, 0, 5_000])
    expect(await checkLedger(test.db)).toEqual([])
    await expect(markUnpaid(test.db, id, clock())).rejects.toMatchObject({ rule: 'cancelled-already' })
  })

  it('is not taken back where it was never noted as paid, and only once of two at once', async () => {
    await give({ msf: 50 })
    const { id } = await pay()
    await expect(markUnpaid(test.db, id, clock())).rejects.toMatchObject({ rule: 'not-paid' })
    await expect(markUnpaid(test.db, 'nothing', clock())).rejects.toMatchObject({ rule: 'no-such-payout' })
    await markPaid(test.db, { id, reference: 'SEPA 7' }, clock())
    const other = await test.another()
    await Promise.all([test.db, other, test.db, other].map(db => markUnpaid(db, id, clock())))
    expect((await test.db.read(reader => payouts(reader)))[0]).toMatchObject({ taken_back: 1 })
    expect(await checkLedger(test.db)).toEqual([])
  })

  it.each<readonly [string, string, number]>([
    ['a time that never was', 'payout-paid:ID:2', 0],
    ['a mistake that never was', 'payout-unpaid:ID', 0],
    ['one of too many times', 'payout-paid:ID:9', 1],
    ['words behind its id', 'payout-paid:IDx', 1],
  ])('whose books have %s is found by the check', async (_, set, takenBack) => {
    await give({ msf: 50 })
    const { id } = await pay()
    await markPaid(test.db, { id, reference: 'SEPA 7' }, clock())
    for (let n = 0; n < takenBack; n++) await markUnpaid(test.db, id, clock())
    const name = set.replace('ID', id)
    for (const [account, amount] of [
      ['payouts', 1],
      ['payouts-open', -1],
    ])
      await test.plant(
        `insert into ledger_entries (id, set_id, account, currency, amount, card_id, order_id, cause, created_at)
          values ('${name}/${account}', '${name}', '${account}', 'EUR', ${amount}, null, null, '${set.split(':')[0]}', 1)`,
      )
    expect((await checkLedger(test.db)).map(({ rule }) => rule)).toContain('payout-books-differ')
  })

  it('that is wrong is found by the check', async () => {
    await give({ msf: 50 })
    const { id } = await pay()
    await test.plant(`update payouts set amount = amount + 1 where id = '${id}'`)
    expect(await checkLedger(test.db)).toEqual([
      { rule: 'payout-differs', subject: id, expected: 5001, found: 5000, currency: 'EUR' },
      { rule: 'payout-books-differ', subject: id, expected: 5001, currency: 'EUR' },
    ])
  })

  it('is a row for the bank, with nothing that a spreadsheet would run', async () => {
    await give({ msf: 50 })
    const { id } = await pay()
    await markPaid(test.db, { id, reference: '=1+1' }, clock())
    const csv = payoutsCsv(await test.db.read(db => payouts(db)), () => 'Médecins, "MSF"')
    expect(csv).toBe(
      'payout,organisation,name,currency,amount,allocations,made,status,reference,paid\r\n' +
        `${id},msf,"Médecins, ""MSF""",EUR,50.00,1,2026-03-10,paid,'=1+1,2026-03-10\r\n`,
    )
  })
})
