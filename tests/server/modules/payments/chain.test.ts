import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSummary } from '#server/modules/reports/summary.ts'
import { openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const days = () => fixture.test.db.read(db => db.selectFrom('chain_days').selectAll().execute())
const kept = async () =>
  (await fixture.test.db.read(db => db.selectFrom('orders').select('keeps_chain').execute())).map(
    ({ keeps_chain }) => keeps_chain,
  )

it('counts a gift of somebody who had been given one, once it is paid, and once', async () => {
  const opened = await fixture.start({ keepsChain: true })
  expect(await kept()).toEqual([1])
  expect(await days()).toEqual([])
  await fixture.pay(opened.sessionId)
  await fixture.payments.settle(opened.sessionId)
  await fixture.payments.settle(opened.sessionId)
  await fixture.payments.settle((await fixture.buy({ keepsChain: true })).sessionId)
  expect((await days()).map(({ cards }) => cards)).toEqual([2])
  const report = await fixture.test.db.read(db => readSummary(db, Date.now()))
  expect(report.chain).toBe(2)
})

it('counts no other gift, and keeps of none whose it was', async () => {
  await fixture.payments.settle((await fixture.buy()).sessionId)
  expect(await days()).toEqual([])
  await fixture.payments.settle((await fixture.buy({ keepsChain: true })).sessionId)
  expect(await kept()).toEqual([null, null])
  // Not even by another hand: an order that is over has no place for it.
  await expect(
    fixture.test.db.transaction(trx => trx.updateTable('orders').set({ keeps_chain: 1 }).execute()),
  ).rejects.toThrow()
})
