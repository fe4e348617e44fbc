import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { figuresCsv } from '#server/modules/public-ledger/figures-csv.ts'
import { withNames } from '#server/modules/public-ledger/named-figures.ts'
import {
  createPublicFigures,
  type PublicFiguresInMemory,
} from '#server/modules/public-ledger/public-figures.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { CREATED_AT, giveFreeCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const NGOS = ['msf', 'cerf', 'irc']
const signer = createSigner('a key of the public ledger, for tests alone', 'gifts.example/ledger')
const goOn = async () => {}

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  clock = fakeClock(CREATED_AT)
})
afterEach(() => test.close())

const inMemory = (log = quietLog()) => createPublicFigures({ db: test.db, clock, log, rest: goOn })
async function refreshed(figures: PublicFiguresInMemory) {
  await figures.refresh()
  return figures.current()
}

const sequence = () => sequenceDays({ db: test.db, clock, signer, draw: count => count - 1 }, goOn)

async function sellAndRedeem(number: number, points: Readonly<Record<string, number>>): Promise<void> {
  for (let n = 0; n < number; n++) {
    const { privateKey } = await test.db.transaction(trx => sellCard(trx))
    clock.advance(1)
    await createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS }).redeem(
      privateKey,
      Object.entries(points).map(([ngoId, each]) => ({ ngoId, points: each })),
    )
  }
}

async function payOut(ngoId: string): Promise<void> {
  const payout = await createPayout(test.db, { ngoId, currency: 'EUR' }, clock())
  await markPaid(test.db, { id: payout.id, reference: 'SEPA 1' }, clock())
}

it('is nothing before the first head', async () => {
  const figures = inMemory()
  expect(await refreshed(figures)).toBeUndefined()
  expect(figuresCsv(undefined).split('\r\n')).toEqual([
    'figure,currency,organisation,name,year,since,count,amount',
    'lines,,,,,,0,',
    '',
  ])
})

it('is what the operator’s report says, once everything is published', async () => {
  const figures = inMemory()
  await sellAndRedeem(20, { msf: 30, cerf: 20 })
  await test.db.transaction(trx => sellCard(trx))
  await test.db.transaction(giveFreeCard)
  clock.advance(DAY_MS)
  await sequence()
  expect(await refreshed(figures)).toMatchObject({ currencies: [{ given: { count: 20, amount: 100_000 } }] })

  await payOut('msf')
  clock.set(CREATED_AT + 400 * DAY_MS)
  await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 2, listedNgoIds: () => NGOS })
  clock.advance(DAY_MS)
  await sequence()

  // The same reader, which adds the new lines alone, and one that has read nothing yet.
  const read = await refreshed(figures)
  expect(await refreshed(inMemory())).toEqual(read)
  const [report] = (await test.db.read(reader => readSummary(reader, clock()))).money
  const [euros] = read!.currencies
  expect({
    orders: euros!.sold.count,
    paid: euros!.sold.amount,
    campaign: euros!.free.amount,
    support: euros!.support,
    tax: euros!.tax,
    volunteering: euros!.volunteering,
    outstanding: euros!.onCards,
    allocated: euros!.given.amount + euros!.givenAway.amount,
    beingPaidOut: euros!.inTransfer,
    paidOut: euros!.paidOut,
    refunded: euros!.refunded,
    losses: euros!.lost,
  }).toEqual({ ...report, currency: undefined })
  expect(euros!.waiting).toEqual([
    { ngoId: 'cerf', amount: 40_000, since: '2026-03-10' },
    { ngoId: 'irc', amount: 5_500, since: '2027-04-14' },
  ])
  expect(euros!.payouts).toEqual([{ year: '2026', to: [{ ngoId: 'msf', amount: 60_000, confirmed: 0 }] }])

  const rows = figuresCsv(withNames(read!, ngoId => `The ${ngoId}`)).split('\r\n')
  expect(rows).toContain('sold,EUR,,,,,21,1155.00')
  expect(rows).toContain('waiting,EUR,cerf,The cerf,,2026-03-10,,400.00')
  expect(rows).toContain('payouts,EUR,msf,The msf,2026,,,600.00')
  expect(rows).toContain('payouts confirmed,EUR,msf,The msf,2026,,,0.00')
  expect(rows).toContain('month: sale,EUR,,,2026-03,,21,1155.00')
})

it('does not move when a single card is used', async () => {
  const figures = inMemory()
  await sellAndRedeem(20, { msf: 50 })
  await test.db.transaction(trx => sellCard(trx))
  clock.advance(DAY_MS)
  await sequence()
  const before = await refreshed(figures)
  await sellAndRedeem(1, { irc: 50 })
  expect(await refreshed(figures)).toBe(before)
  clock.advance(DAY_MS)
  await sequence()
  const [euros] = (await refreshed(figures))!.currencies
  expect(euros!.given).toEqual({ count: 20, amount: 100_000 })
  // The card that was used counts as unused as long as its use would stand alone.
  expect(euros!.onCards).toBe(10_000)
})

it('stays as it was, and stops nothing, where the lines cannot be read', async () => {
  const log = quietLog()
  const figures = inMemory(log)
  await test.db.transaction(trx => sellCard(trx))
  clock.advance(DAY_MS)
  await sequence()
  expect(await figures.refresh()).toBe(true)
  const before = figures.current()
  // A head without its lines: another hand, or half a backup.
  await test.db.transaction(trx =>
    trx.insertInto('ledger_heads').values({ size: 9, root: 'x', note: 'x', at: clock() }).execute(),
  )
  expect(await figures.refresh()).toBe(false)
  expect(figures.current()).toBe(before)
  expect(log.events).toEqual(['public-figures-not-read'])
})
