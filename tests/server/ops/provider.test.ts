import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import type { PayoutAccount } from '#server/modules/treasury/reports.ts'
import type { Command, Tools } from '#server/ops/command.ts'
import { provider } from '#server/ops/provider.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../support/payments-fixture.ts'

let fixture: PaymentsFixture
let tools: Tools
beforeEach(async () => {
  fixture = await openPaymentsFixture({ settles: ['eur'] })
  tools = {
    database: async () => fixture.test.db,
    place: { dataDir: fixture.test.location.dataDir, databaseUrl: fixture.test.location.databaseUrl },
    environment: {},
    clock: fixture.clock,
    progress() {},
  }
})
afterEach(() => fixture.close())

const tell = async (...args: string[]) => {
  const { lines, data, ok } = await (provider as Command).run(tools, args)
  for (const line of lines.join('\n').split('\n')) expect(line.length, line).toBeLessThanOrEqual(140)
  expect(ok).toBe(true)
  return { text: lines.join('\n'), data: data as never }
}

async function aPayout() {
  await fixture.buy({}, CARD.spanish)
  await fixture.deliver()
  await fixture.refund(700)
  await fixture.buy({ currency: 'USD' }, CARD.good)
  await fixture.deliver()
  fixture.clock.advance(4 * DAY_MS)
  await fixture.deliver()
  fixture.clock.advance(HOUR_MS)
  await readMovements(fixture.deps)
  return (await fixture.stripe.payouts.list()).data[0]!
}

it('says of a payout of the provider what it is made of, to the cent', async () => {
  const { id, amount } = await aPayout()
  expect((await tell('payouts')).data).toMatchObject({ payouts: [{ id, amount, currency: 'EUR', parts: 3 }] })
  const { text, data } = await tell('payout', id)
  const { made } = data as PayoutAccount
  expect(made.map(({ kind }) => kind).sort()).toEqual(['charge', 'charge', 'refund'])
  expect(made.reduce((sum, { net }) => sum + net, 0)).toBe(amount)
  const orders = await fixture.test.db.read(reader => reader.selectFrom('orders').select('id').execute())
  expect(new Set(made.map(({ order }) => order))).toEqual(new Set(orders.map(order => order.id)))
  expect(made.find(({ charged }) => charged.currency === 'USD')).toMatchObject({ charged: { amount: 6_500 } })
  for (const { id: order } of orders) expect(text).toContain(order)
  expect(text).toContain('65.00 USD')
  expect(text).toMatch(/together .*\d+\.\d\d/)
  expect(text).toContain(`${(amount / 100).toFixed(2)} EUR`)
})

it('says what was kept in each month, and who bears it', async () => {
  await aPayout()
  const moved = (await fixture.stripe.balanceTransactions.list()).data
  const kept = moved.reduce((sum, { fee }) => sum + fee, 0)
  expect((await tell('fees')).data).toEqual({
    fees: [
      {
        month: new Date(moved.at(-1)!.created * 1000).toISOString().slice(0, 7),
        currency: 'EUR',
        payments: kept,
        disputes: 0,
        other: 0,
        borneBySupport: kept,
      },
    ],
  })
})

it('says where the money is', async () => {
  const { amount } = await aPayout()
  const { data, text } = await tell()
  expect(data).toMatchObject({
    positions: [
      { currency: 'EUR', atProvider: 0, onItsWay: 0, paidOut: amount, toOrganisations: 0, atBank: amount },
      { currency: 'USD', atProvider: 0, onItsWay: 0, paidOut: 0 },
    ],
  })
  expect(text).toContain('at the bank')
})

it('says what there is not', async () => {
  await expect(tell('payout', 'po_none')).rejects.toThrow('There is no payout "po_none"')
  await expect(tell('payout')).rejects.toThrow('Say the id of one payout')
  await expect(tell('nothing')).rejects.toThrow('position | payouts')
  expect((await tell('payouts')).text).toBe('(none)')
})
