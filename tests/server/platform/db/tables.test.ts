import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import { anOrder, CREATED_AT, createOne, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('refuses an order that is over and still knows its Checkout session', async () => {
  const open = anOrder({ checkout_session_sealed: 'sealed' })
  await test.db.transaction(trx => trx.insertInto('orders').values(open).execute())
  for (const status of ['paid', 'expired', 'failed'] as const) {
    const close = test.db.transaction(trx =>
      sql`update orders set status = ${status} where id = ${open.id}`.execute(trx),
    )
    await expect(close).rejects.toThrow(/check/i)
  }
})

it('refuses a paid order with its Checkout session in clear, as it was kept before', async () => {
  for (const column of ['checkout_session_id', 'checkout_url']) {
    const { id } = anOrder()
    await test.db.transaction(trx =>
      trx
        .insertInto('orders')
        .values(anOrder({ id, status: 'paid' }))
        .execute(),
    )
    const leak = test.db.transaction(trx =>
      sql`update orders set ${sql.ref(column)} = 'cs_1' where id = ${id}`.execute(trx),
    )
    await expect(leak).rejects.toThrow('orders_paid_keep_no_session')
  }
})

it('refuses an order whose total is not the sum of its parts', async () => {
  const order = anOrder()
  const insert = test.db.transaction(trx =>
    trx
      .insertInto('orders')
      .values({ ...order, total_amount: order.total_amount + 1 })
      .execute(),
  )
  await expect(insert).rejects.toThrow(/check/i)
})

it('refuses an order and a card that would wait less than a year', async () => {
  const order = test.db.transaction(trx =>
    trx
      .insertInto('orders')
      .values(anOrder({ term_months: 11 }))
      .execute(),
  )
  await expect(order).rejects.toThrow(/check/i)
  await expect(test.db.transaction(trx => sellCard(trx, { term_months: 11 }))).rejects.toThrow(/check/i)
  const { cardId } = await test.db.transaction(trx => sellCard(trx, { term_months: 18 }))
  const shorten = test.db.transaction(trx =>
    sql`update cards set term_months = 11 where id = ${cardId}`.execute(trx),
  )
  await expect(shorten).rejects.toThrow(/check/i)
})

it('refuses an order whose buyer has accepted no terms, or terms that never were', async () => {
  for (const terms_version of [null as unknown as string, 'terms that never were']) {
    const insert = test.db.transaction(trx =>
      trx.insertInto('orders').values(anOrder({ terms_version })).execute(),
    )
    await expect(insert).rejects.toThrow(/check|foreign key/i)
  }
})

it('refuses a value of another type than its column', async () => {
  const order = { ...anOrder(), created_at: 'yesterday' as unknown as number }
  const insert = test.db.transaction(trx => trx.insertInto('orders').values(order).execute())
  await expect(insert).rejects.toThrow(/TEXT value in INTEGER column|invalid input syntax/)
})

it('refuses a second card of one order, and a card of no order', async () => {
  const { orderId } = await test.db.transaction(trx => sellCard(trx))
  const again = (id: string) =>
    test.db.transaction(trx =>
      createOne(trx, testKeys, {
        orderId: id,
        themeId: 'palestine',
        senderName: null,
        language: 'en',
        credit: money(5000, 'EUR'),
        email: null,
        createdAt: CREATED_AT,
      }),
    )
  await expect(again(orderId)).rejects.toThrow(/unique/i)
  await expect(again('nobody knows')).rejects.toThrow(/foreign key/i)
})

it('refuses a second redemption of one card', async () => {
  const { cardId } = await test.db.transaction(trx => sellCard(trx))
  const redeem = () =>
    test.db.transaction(trx =>
      trx
        .insertInto('redemptions')
        .values({ card_id: cardId, cause: 'recipient', request_digest: 'x', created_at: 1 })
        .execute(),
    )
  await redeem()
  await expect(redeem()).rejects.toThrow(/unique/i)
})
