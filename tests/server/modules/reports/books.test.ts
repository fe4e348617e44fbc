import { afterEach, beforeEach, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { type Period, periodOf } from '#domain/period.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { type AccountBalance, journalOf, readBalances, readEntries } from '#server/modules/reports/books.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { books } from '#server/ops/books.ts'
import type { Tools } from '#server/ops/command.ts'
import { CARD, NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

const EVER: Period = { from: 0, to: Number.MAX_SAFE_INTEGER }

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture({ settles: ['eur'] })
})
afterEach(() => fixture.close())

const balances = (period: Period) => fixture.test.db.read(db => readBalances(db, period))
const entries = (period: Period) => fixture.test.db.read(db => readEntries(db, period))

/** A card is sold, given away and paid out; another is refunded in part, in another currency that is converted. */
async function aMonth(): Promise<void> {
  await fixture.buy({}, CARD.spanish)
  await fixture.deliver()
  const card = await fixture.test.db.read(db =>
    db.selectFrom('cards').select(['id', 'key_version']).executeTakeFirstOrThrow(),
  )
  await fixture.cards.redeem(fixture.deps.keys.privateKey(card.id, card.key_version), [
    { ngoId: NGOS[0], points: 30 },
    { ngoId: NGOS[1], points: 20 },
  ])
  await fixture.buy({ currency: 'USD' }, CARD.good)
  await fixture.deliver()
  await fixture.refund(700)
  fixture.clock.advance(4 * DAY_MS)
  await fixture.deliver()
  fixture.clock.advance(HOUR_MS)
  await readMovements(fixture.deps)
}

/** What is held afterwards, by account; an account that ends empty is as none. */
const closingOf = (rows: readonly AccountBalance[], currency: string) =>
  Object.fromEntries(
    rows
      .filter(row => row.currency === currency && row.closing !== 0)
      .map(({ account, closing }) => [account, closing]),
  )

it('ends each period with what the next begins with, and sums to nothing in each currency', async () => {
  const begin = fixture.clock()
  await aMonth()
  const middle = fixture.clock()
  fixture.clock.advance(DAY_MS)
  const payout = await createPayout(fixture.test.db, { ngoId: NGOS[0], currency: 'EUR' }, fixture.clock())
  await markPaid(fixture.test.db, { id: payout.id, reference: 'transfer 1' }, fixture.clock())
  const first = await balances({ from: begin, to: middle })
  const second = await balances({ from: middle, to: fixture.clock() + 1 })
  const whole = await balances(EVER)
  for (const currency of ['EUR', 'USD']) {
    for (const rows of [first, second, whole])
      for (const of of ['opening', 'closing'] as const)
        expect(
          rows.filter(row => row.currency === currency).reduce((sum, row) => sum + row[of], 0),
          `${currency} ${of}`,
        ).toBe(0)
    expect(closingOf(second, currency)).toEqual(closingOf(whole, currency))
  }
  for (const { currency, account, opening } of second)
    expect(opening, account).toBe(
      first.find(row => row.currency === currency && row.account === account)?.closing ?? 0,
    )
  expect(closingOf(first, 'EUR')[`ngo:${NGOS[0]}`]).toBe(payout.amount)
  expect(closingOf(whole, 'EUR')).toMatchObject({ payouts: payout.amount })
})

it('names the charge, the movement and the payout of the provider beside each entry, once each', async () => {
  await aMonth()
  const all = await entries(EVER)
  const rows = await fixture.test.db.read(db => db.selectFrom('ledger_entries').select('id').execute())
  expect(all.map(({ set, account }) => `${set}/${account}`).sort()).toEqual(rows.map(({ id }) => id).sort())
  const [payout] = (await fixture.stripe.payouts.list()).data
  const sales = all.filter(({ cause }) => cause === 'sale')
  expect(new Set(sales.map(({ charge }) => charge)).size).toBe(2)
  for (const each of all.filter(({ cause }) => cause === 'sale')) {
    expect(each.charge, each.set).toMatch(/^ch_/)
    expect(each.movement, each.set).toMatch(/^txn_/)
    expect(each.providerPayout, each.set).toBe(payout!.id)
  }
  for (const each of all.filter(({ cause }) => cause === 'movement'))
    expect(each.set, each.set).toBe(`movement:${each.movement}:${each.currency}`)
})

it('gives a journal whose documents have the same debit and credit', async () => {
  await aMonth()
  const journal = journalOf(await entries(EVER), at => new Date(at).toISOString().slice(0, 10))
  const documents = Map.groupBy(journal, ({ document }) => document)
  expect(documents.size).toBeGreaterThan(4)
  for (const [document, lines] of documents) {
    const sum = (of: 'debit' | 'credit') => lines.reduce((total, line) => total + line[of], 0)
    expect(sum('debit'), document).toBe(sum('credit'))
    expect(sum('debit'), document).toBeGreaterThan(0)
  }
})

it('tells the operator what is owed at the end of a period, and gives both tables for programs', async () => {
  await aMonth()
  const tools: Tools = {
    database: async () => fixture.test.db,
    place: { dataDir: fixture.test.location.dataDir, databaseUrl: fixture.test.location.databaseUrl },
    environment: {},
    clock: fixture.clock,
    progress() {},
  }
  const year = String(new Date(fixture.clock()).getUTCFullYear())
  const told = await books.run(tools, [year])
  expect(told.lines.join('\n')).toMatch(
    /Owed to organisations afterwards: 50\.00 EUR, and 0\.00 on unused cards/,
  )
  const csv = await books.run(tools, [year, '--csv'])
  expect(csv.lines).toHaveLength(1 + (await entries(EVER)).length)
  const journal = await books.run(tools, [year, '--journal'])
  // Read month by month, it is the same as at once.
  expect(journal.data).toMatchObject({ journal: journalOf(await entries(periodOf(year)!), dayInMadrid) })
  expect(journal.lines[0]).toBe('day,document,cause,account,debit,credit,currency')
  await expect(books.run(tools, [year, '--csv', '--journal'])).rejects.toThrow(/not for both/)
  await expect(books.run(tools, ['2026-13'])).rejects.toThrow(/no year, quarter or month/)
  const before = await books.run(tools, [String(Number(year) - 5)])
  expect(before.lines).toEqual(['Nothing was booked until the end of this period.'])
})
