import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

const MINUTE_MS = 60_000

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const statuses = async () => {
  const rows = await fixture.test.db.read(db =>
    db.selectFrom('orders').select('status').orderBy('created_at').execute(),
  )
  return rows.map(({ status }) => status)
}

describe('reconciling', () => {
  it('gives every paid order its card though all its events were lost, and leaves the others open', async () => {
    for (let n = 0; n < 3; n++) {
      await fixture.buy()
      await fixture.start()
    }
    fixture.clock.advance(5 * MINUTE_MS)
    expect(await fixture.payments.reconcile()).toBe(6)
    expect(await fixture.counts()).toEqual({ paid: 3, cards: 3, sales: 3, mails: 3 })
    expect(await fixture.payments.reconcile()).toBe(3)
    expect(await fixture.findings()).toEqual([])
  })

  it('leaves a buyer who is just typing alone', async () => {
    await fixture.buy()
    fixture.clock.advance(5 * MINUTE_MS - 1)
    expect(await fixture.payments.reconcile()).toBe(0)
  })

  it('closes what has expired, and what the provider never answered', async () => {
    await fixture.start()
    fixture.between(() => Promise.reject(new TypeError('down')))
    await expect(fixture.start()).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.between((request, next) => next(request))
    fixture.clock.advance(10 * MINUTE_MS)
    await fixture.payments.reconcile()
    expect(await statuses()).toEqual(['open', 'open'])
    fixture.clock.advance(24 * 60 * MINUTE_MS)
    await fixture.payments.reconcile()
    expect(await statuses()).toEqual(['expired', 'expired'])
    expect(await fixture.payments.reconcile()).toBe(0)
  })

  it('waits for a slow payment method for days, not for a session that the provider has forgotten', async () => {
    await fixture.buy({}, CARD.slowDebit)
    fixture.between(async (request, next) => {
      const response = await next(request)
      const body = await response.json()
      // The double decides within seconds; the real one takes up to two weeks.
      return Response.json({
        ...body,
        payment_status: 'unpaid',
        payment_intent: { ...body.payment_intent, status: 'processing' },
      })
    })
    fixture.clock.advance(72 * 60 * MINUTE_MS)
    await fixture.payments.reconcile()
    expect(await statuses()).toEqual(['open'])
    fixture.between(async () => {
      const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such session' }
      return Response.json({ error }, { status: 404 })
    })
    await fixture.payments.reconcile()
    expect(await statuses()).toEqual(['expired'])
  })

  it('stops when the provider is down, and begins again', async () => {
    await fixture.buy()
    await fixture.buy()
    fixture.clock.advance(10 * MINUTE_MS)
    fixture.between(() => Promise.reject(new TypeError('down')))
    await expect(fixture.payments.reconcile()).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect(fixture.asked.filter(each => each.startsWith('GET'))).toHaveLength(1)
    fixture.between((request, next) => next(request))
    expect(await fixture.payments.reconcile()).toBe(2)
    expect(await fixture.counts()).toMatchObject({ paid: 2, cards: 2 })
  })

  it('looks at all of very many, also those of the same instant', async () => {
    for (let n = 0; n < 130; n++) await fixture.start()
    fixture.clock.advance(10 * MINUTE_MS)
    expect(await fixture.payments.reconcile()).toBe(130)
  })

  it('run twice at once makes one card of each', async () => {
    for (let n = 0; n < 5; n++) await fixture.buy()
    fixture.clock.advance(10 * MINUTE_MS)
    await Promise.all([fixture.payments.reconcile(), fixture.payments.reconcile()])
    expect(await fixture.counts()).toEqual({ paid: 5, cards: 5, sales: 5, mails: 5 })
  })
})
