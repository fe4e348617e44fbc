import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { INAUGURATION_PACKAGE } from '#domain/volunteering/package.ts'
import { SHARED_MS } from '#server/modules/payments/once-per-session.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

type Payments = PaymentsFixture['payments']

interface Bought {
  readonly start: (payments: Payments) => Promise<{ readonly url: string }>
  readonly settle: (payments: Payments, sessionId: string) => Promise<object>
}

const BOUGHT: readonly (readonly [string, Bought])[] = [
  [
    'a gift card',
    {
      start: payments => payments.startDonation(aStart),
      settle: (payments, sessionId) => payments.settlePurchase(sessionId),
    },
  ],
  [
    'an invitation',
    {
      start: payments =>
        payments.startVolunteering({
          ...aStart,
          packageId: INAUGURATION_PACKAGE.packageId,
          price: INAUGURATION_PACKAGE.ngoAmount,
          supportAmount: 0,
          mission: { kind: 'decide-later' },
        }),
      settle: (payments, sessionId) => payments.settleVolunteering(sessionId),
    },
  ],
  [
    'own money',
    {
      start: payments =>
        payments.startOwnMoney({ ...aStart, packageId: 'own', parts: [{ ngoId: 'cerf', points: 1 }] }),
      settle: (payments, sessionId) => payments.settleOwnMoney(sessionId),
    },
  ],
]

describe.each(BOUGHT)('the open session of %s that is named again and again', (_, bought) => {
  let sessionId: string
  beforeEach(async () => {
    const { url } = await bought.start(fixture.payments)
    sessionId = url.slice(url.lastIndexOf('/') + 1)
    fixture.asked.length = 0
  })
  const settle = (payments: Payments = fixture.payments) => bought.settle(payments, sessionId)
  const NOT_PAID = { code: 'payment-not-completed', details: { fields: [{ path: 'payment', rule: 'open' }] } }

  it('takes one turn at the provider in two seconds', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 60 }, () => settle()))
    for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: NOT_PAID })
    fixture.clock.advance(SHARED_MS - 1)
    await expect(settle()).rejects.toMatchObject(NOT_PAID)
    expect(fixture.asked).toEqual([`GET /v1/checkout/sessions/${sessionId}`])
  })

  it('gives the card to whoever comes two seconds after that, though no event came', async () => {
    await expect(settle()).rejects.toMatchObject(NOT_PAID)
    await fixture.pay(sessionId)
    fixture.clock.advance(SHARED_MS)
    expect(await settle()).toBeTypeOf('object')
    expect(fixture.asked).toHaveLength(2)
  })

  it('is settled at once by its event, and gives the card from then on', async () => {
    await expect(settle()).rejects.toMatchObject(NOT_PAID)
    await fixture.pay(sessionId)
    await fixture.deliver()
    expect(await fixture.counts()).toMatchObject({ paid: 1, sales: 1 })
    expect(await settle()).toBeTypeOf('object')
  })

  it('gives the card at once where another process has settled it', async () => {
    await expect(settle()).rejects.toMatchObject(NOT_PAID)
    await fixture.pay(sessionId)
    const other = createPayments({ ...fixture.deps, db: await fixture.test.another() })
    const settled = await settle(other)
    expect(await settle()).toEqual(settled)
  })

  it('takes no turn of another session', async () => {
    const other = await fixture.start()
    fixture.asked.length = 0
    await expect(settle()).rejects.toMatchObject(NOT_PAID)
    await expect(fixture.payments.settlePurchase(other.sessionId)).rejects.toMatchObject(NOT_PAID)
    expect(fixture.asked).toHaveLength(2)
  })
})

it('a session that is paid is settled once for many who name it at the same time', async () => {
  const { sessionId } = await fixture.buy()
  fixture.asked.length = 0
  const [first, ...others] = await Promise.all(
    Array.from({ length: 20 }, () => fixture.payments.settlePurchase(sessionId)),
  )
  for (const other of others) expect(other).toEqual(first)
  expect(fixture.asked).toHaveLength(1)
  expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
})
