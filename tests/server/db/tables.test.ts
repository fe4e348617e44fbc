import { afterAll, beforeAll, expect, it } from 'vitest'
import { anOrder } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('refuses a paid order that still knows its Checkout session', async () => {
  const paid = { ...anOrder(), status: 'paid' as const }
  for (const leak of [{ checkout_session_id: 'cs_1' }, { checkout_url: 'https://pay.example/cs_1' }]) {
    const insert = test.db.transaction(trx =>
      trx
        .insertInto('orders')
        .values({ ...paid, ...leak })
        .execute(),
    )
    await expect(insert).rejects.toThrow('orders_paid_keep_no_session')
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
