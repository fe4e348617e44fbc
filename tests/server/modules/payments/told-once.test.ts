import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteRestoration } from '#server/modules/gifts/cards/restored.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { applyReversals } from '#server/modules/payments/refunds-and-disputes.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { TEST_TERMS } from '#tests/builders/server.ts'
import { mailsOf, oneEach, type Teller } from '#tests/support/told-once.ts'
import { CARD, NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const newestCharge = async () => (await fixture.stripe.charges.list({ limit: 1 })).data[0]!.id

/** A card whose payment has been settled. @returns its key */
async function bought(): Promise<string> {
  const { sessionId } = await fixture.buy()
  const { privateKey } = await fixture.payments.settle(sessionId)
  await fixture.deliver()
  return privateKey
}

/** What makes the books follow the newest charge, as its event does. */
async function following(): Promise<(by: Teller) => Promise<unknown>> {
  const charge = await newestCharge()
  await fixture.collectEvents()
  return by => applyReversals({ ...fixture.deps, ...by }, charge)
}

/** An order of somebody's own money, whose parts another hand has written. */
async function unreadable(): Promise<(by: Teller) => Promise<unknown>> {
  const { url } = await fixture.payments.startOwnMoney({
    packageId: 'own',
    ngoAmount: 3_700,
    supportAmount: 300,
    currency: 'EUR',
    themeId: 'ukraine',
    language: 'es',
    termsVersion: TEST_TERMS,
    fulfilmentConsent: true,
    parts: [{ ngoId: NGOS[0], points: 1 }],
  })
  const sessionId = url.slice(url.lastIndexOf('/') + 1)
  await fixture.pay(sessionId)
  await fixture.collectEvents()
  await fixture.test.db.transaction(trx =>
    sql`update orders set split_sealed = checkout_session_sealed where split_sealed is not null`.execute(trx),
  )
  return by => createPayments({ ...fixture.deps, ...by }).settleOwnMoney(sessionId)
}

/** After a restore, a payment of an order that the backup does not know. */
async function withoutOrder(): Promise<(by: Teller) => Promise<unknown>> {
  await fixture.close()
  fixture = await openPaymentsFixture()
  const { id } = await fixture.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://cards.example/done',
    cancel_url: 'https://cards.example/back',
    metadata: { order_id: 'an-order-that-was-lost' },
    line_items: [
      { quantity: 1, price_data: { currency: 'eur', unit_amount: 1_000, product_data: { name: 'A card' } } },
    ],
  })
  await fixture.pay(id)
  await fixture.collectEvents()
  await fixture.test.db.transaction(trx => noteRestoration(trx, fixture.clock()))
  return by => createPayments({ ...fixture.deps, ...by }).reconcileRestored()
}

describe('what is noticed once and has to be told', () => {
  it.each([
    [
      'batch-reversed-in-part',
      async () => {
        await fixture.buy({ cards: 3 })
        await fixture.deliver()
        await fixture.refund(6_500)
        return following()
      },
    ],
    [
      'payment-reversed-at-a-loss',
      async () => {
        await fixture.cards.redeem(await bought(), [{ ngoId: NGOS[0], points: 50 }])
        await fixture.refund()
        return following()
      },
    ],
    [
      'card-reduced-by-dispute',
      async () => {
        await bought()
        await fixture.disputePart(1_300)
        await fixture.decideDispute('lost')
        return following()
      },
    ],
    [
      'withdrawal-not-refunded',
      async () => {
        const card = await withdrawalsOf(fixture).buy({}, CARD.failingRefund)
        await card.withdraw()
        await fixture.deliver()
        fixture.clock.advance(DELAYS.refundResultMs)
        return following()
      },
    ],
    ['own-money-unreadable', unreadable],
    ['payment-without-order', withoutOrder],
  ] as const)('is told once, whatever process dies behind a commit (%s)', async (alarm, given) => {
    const told = await mailsOf(alarm, async () => {
      const act = await given()
      return { db: fixture.test.db, clock: fixture.clock, act }
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(oneEach(told))
  })
})
