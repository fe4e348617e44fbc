import { afterEach, beforeEach, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { actOnInvoice } from '#server/modules/payments/invoices/acts.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import { mailsOf, oneEach } from '#tests/support/told-once.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { type WithdrawalsFixture, WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

const act = (asked: Parameters<typeof actOnInvoice>[2]) =>
  fixture.test.db.transaction(trx => actOnInvoice(trx, fixture.deps, asked))

/** An order of three cards that was paid by invoice, and that its buyer withdraws from. */
async function withdrawn() {
  const invoice = {
    name: 'Escola del Mar',
    document: '',
    address: 'Carrer de Mar 3',
    email: 'a@escola.example',
  }
  const { orderId } = await fixture.payments.startInvoice({ ...aStart, cards: 3, invoice })
  const paidOn = dayInMadrid(fixture.clock())
  await act({ act: 'paid', order: orderId, amount: 19_500, paidOn })
  await shop.withdrawals.confirm(orderId, fixture.deps.keys.withdrawalKey(orderId, 1), WORDS)
  return orderId
}

it('is told of once, whatever process dies behind a commit', async () => {
  let before: string | undefined
  const told = await mailsOf('invoice-refund-due', async () => {
    if (before !== undefined) await act({ act: 'refunded', order: before, withdrawal: 1 })
    before = await withdrawn()
    fixture.clock.advance(DAY_MS)
    const { clock, test } = fixture
    return { db: test.db, clock, act: by => createWithdrawals({ ...shop.parts, ...by }).finish() }
  })
  expect(told.length).toBeGreaterThan(1)
  expect(told).toEqual(oneEach(told))
})

it('is told once a day until it is done, whatever a clock said meanwhile', async () => {
  const orderId = await withdrawn()
  for (let hours = 0; hours < 24; hours++) {
    fixture.clock.advance(HOUR_MS - 1)
    await shop.withdrawals.finish()
  }
  expect(fixture.alarms).toEqual(['invoice-refund-due'])
  const year = { ...shop.parts, clock: () => fixture.clock() + 365 * DAY_MS }
  await createWithdrawals(year).finish()
  expect(fixture.alarms).toHaveLength(2)
  await shop.withdrawals.finish()
  expect(fixture.alarms).toHaveLength(3)
  await act({ act: 'refunded', order: orderId, withdrawal: 1 })
  fixture.clock.advance(2 * DAY_MS)
  await shop.withdrawals.finish()
  expect(fixture.alarms).toHaveLength(3)
})
