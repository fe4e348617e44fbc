import { afterAll, beforeAll, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { post } from '#server/modules/ledger/post.ts'
import { recordRedemption, recordSale } from '#server/modules/ledger/record.ts'
import { sellCard } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const set = { id: 'a', cause: 'test', cardId: null, orderId: null, at: 1 }
const entriesOf = (setId: string) =>
  test.db.read(async db => {
    const rows = await db
      .selectFrom('ledger_entries')
      .select(['account', 'amount', 'currency'])
      .where('set_id', '=', setId)
      .orderBy('id')
      .execute()
    return rows.map(row => `${row.account} ${row.amount} ${row.currency}`)
  })

it('refuses a set that does not sum to zero', async () => {
  const entries = [
    ['payments', money(-100, 'EUR')],
    ['cards', money(99, 'EUR')],
  ] as const
  await expect(test.db.transaction(trx => post(trx, { ...set, entries }))).rejects.toThrow('do not balance')
  expect(await entriesOf('a')).toEqual([])
})

it('refuses a set that sums to zero only over two currencies', async () => {
  const entries = [
    ['payments', money(-100, 'EUR')],
    ['cards', money(100, 'USD')],
  ] as const
  await expect(test.db.transaction(trx => post(trx, { ...set, entries }))).rejects.toThrow('do not balance')
})

it('books a sale as what was paid, the credit, the support and its tax', async () => {
  const { orderId } = await test.db.transaction(trx => sellCard(trx))
  expect(await entriesOf(`sale:${orderId}`)).toEqual([
    'cards 5000 EUR',
    'payments -5500 EUR',
    'support 395 EUR',
    'tax 105 EUR',
  ])
})

it('books no line for a support of nothing', async () => {
  const { orderId } = await test.db.transaction(trx => sellCard(trx, { support_amount: 0, tax_amount: 0 }))
  expect(await entriesOf(`sale:${orderId}`)).toEqual(['cards 5000 EUR', 'payments -5000 EUR'])
})

it('refuses to book the same sale twice', async () => {
  const { orderId, cardId, credit } = await test.db.transaction(trx => sellCard(trx))
  const sale = {
    kind: 'donation',
    orderId,
    cardIds: [cardId],
    price: credit,
    net: money(395, 'EUR'),
    tax: money(105, 'EUR'),
    total: money(5500, 'EUR'),
    at: 1,
  } as const
  await expect(test.db.transaction(trx => recordSale(trx, sale))).rejects.toThrow(/unique/i)
})

it('refuses a redemption whose allocations are a cent short', async () => {
  const { cardId, credit } = await test.db.transaction(trx => sellCard(trx))
  const allocations = [{ ngoId: 'a', points: 50, amount: money(credit.amount - 1, 'EUR') }]
  const use = { cardId, credit, allocations, cause: 'recipient', at: 1 } as const
  await expect(test.db.transaction(trx => recordRedemption(trx, use))).rejects.toThrow('do not balance')
})

it('lets nobody change or delete what is in the books', async () => {
  const { cardId } = await test.db.transaction(trx => sellCard(trx))
  const before = await test.dump()
  await expect(
    test.db.transaction(trx =>
      trx.updateTable('ledger_entries').set({ amount: 1 }).where('card_id', '=', cardId).execute(),
    ),
  ).rejects.toThrow('append-only')
  await expect(
    test.db.transaction(trx => trx.deleteFrom('ledger_entries').where('card_id', '=', cardId).execute()),
  ).rejects.toThrow('append-only')
  expect(await test.dump()).toBe(before)
})
