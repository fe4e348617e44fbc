import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { money } from '#domain/money/money.ts'
import { post } from '#server/modules/ledger/post.ts'
import { readVat } from '#server/modules/reports/vat.ts'
import { type SoldCard, sellCard } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

const JULY = { from: Date.UTC(2026, 6, 1), to: Date.UTC(2026, 7, 1) }
const AUGUST = { from: JULY.to, to: Date.UTC(2026, 8, 1) }

type Changes = Parameters<typeof sellCard>[1]
const sell = (changes: Changes, at = JULY.from + DAY_MS) =>
  test.db.transaction(trx => sellCard(trx, { created_at: at, settled_at: at, ...changes }))

/** As a reversal books it: so much of the support went back, tax and net. */
const giveBack = ({ orderId, cardId }: SoldCard, net: number, tax: number, at: number) =>
  test.db.transaction(trx =>
    post(trx, {
      id: `reversal:${orderId}:${at}`,
      cause: 'reversal',
      cardId,
      orderId,
      at,
      entries: [
        ['refunds', money(net + tax, 'EUR')],
        ['support', money(-net, 'EUR')],
        ['tax', money(-tax, 'EUR')],
      ],
    }),
  )

const vatOf = (period: typeof JULY) => test.db.read(db => readVat(db, period))
const line = { orders: 0, support: 0, vat: 0, givenBack: 0, vatBack: 0 }

it('sums the VAT that each order was quoted with, by currency and rate', async () => {
  // The rates that were kept, and not those of today, work nothing out: the amounts do.
  await sell({ vat_rate: 2_100, vat_amount: 87 })
  await sell({ vat_rate: 2_100, vat_amount: 90 }, JULY.to - 1)
  await sell({ vat_rate: 550, vat_amount: 26 })
  await sell({ currency: 'USD', vat_rate: 2_100, vat_amount: 87 })
  await sell({ support_amount: 0, tax_amount: 0, vat_rate: 2_100, vat_amount: 0 })
  await sell({ vat_rate: 2_100, vat_amount: 87 }, JULY.to)
  expect(await vatOf(JULY)).toEqual([
    { ...line, currency: 'EUR', rate: 5.5, orders: 1, support: 500, vat: 26 },
    { ...line, currency: 'EUR', rate: 21, orders: 2, support: 1_000, vat: 177 },
    { ...line, currency: 'USD', rate: 21, orders: 1, support: 500, vat: 87 },
  ])
})

it('takes what was shown as tax for an order from before a rate was kept', async () => {
  await sell({})
  expect(await vatOf(JULY)).toEqual([
    { ...line, currency: 'EUR', rate: null, orders: 1, support: 500, vat: 105 },
  ])
})

it('takes the VAT off in the period in which support goes back, and never more than there was', async () => {
  const sold = await sell({ vat_rate: 2_100, vat_amount: 87 })
  await giveBack(sold, 79, 21, JULY.from + 2 * DAY_MS)
  await giveBack(sold, 316, 84, AUGUST.from + DAY_MS)
  const [july] = await vatOf(JULY)
  const [august] = await vatOf(AUGUST)
  expect(july).toMatchObject({ orders: 1, vat: 87, givenBack: 100, vatBack: 17 })
  expect(august).toEqual({ ...line, currency: 'EUR', rate: 21, givenBack: 400, vatBack: 70 })
  expect(july!.vatBack + august!.vatBack).toBe(87)
})

it('refuses a VAT without its rate, and more of it than there is support', async () => {
  for (const wrong of [
    { vat_amount: 87 },
    { vat_rate: 2_100 },
    { vat_rate: 2_100, vat_amount: 501 },
    { vat_rate: 5_001, vat_amount: 1 },
    { vat_rate: -1, vat_amount: 1 },
  ])
    await expect(sell(wrong), JSON.stringify(wrong)).rejects.toThrow(/check/i)
})
