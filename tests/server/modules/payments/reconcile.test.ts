import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CARD, openShop, type Shop } from '../../../support/payments-fixture.ts'

const MINUTE_MS = 60_000

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})
afterEach(() => shop.close())

const statuses = async () => {
  const rows = await shop.test.db.read(db =>
    db.selectFrom('orders').select('status').orderBy('created_at').execute(),
  )
  return rows.map(({ status }) => status)
}

describe('reconciling', () => {
  it('gives every paid order its card though all its events were lost, and leaves the others open', async () => {
    for (let n = 0; n < 3; n++) {
      await shop.buy()
      await shop.start()
    }
    shop.clock.advance(5 * MINUTE_MS)
    expect(await shop.payments.reconcile()).toBe(6)
    expect(await shop.counts()).toEqual({ paid: 3, cards: 3, sales: 3, mails: 3 })
    expect(await shop.payments.reconcile()).toBe(3)
    expect(await shop.findings()).toEqual([])
  })

  it('leaves a buyer who is just typing alone', async () => {
    await shop.buy()
    shop.clock.advance(5 * MINUTE_MS - 1)
    expect(await shop.payments.reconcile()).toBe(0)
  })

  it('closes what has expired, and what the provider never answered', async () => {
    await shop.start()
    shop.between(() => Promise.reject(new TypeError('down')))
    await expect(shop.start()).rejects.toMatchObject({ code: 'provider-unavailable' })
    shop.between((request, next) => next(request))
    shop.clock.advance(10 * MINUTE_MS)
    await shop.payments.reconcile()
    expect(await statuses()).toEqual(['open', 'open'])
    shop.clock.advance(24 * 60 * MINUTE_MS)
    await shop.payments.reconcile()
    expect(await statuses()).toEqual(['expired', 'expired'])
    expect(await shop.payments.reconcile()).toBe(0)
  })

  it('waits for a slow payment method for days, not for a session that the provider has forgotten', async () => {
    await shop.buy({}, CARD.slowDebit)
    shop.between(async (request, next) => {
      const response = await next(request)
      const body = await response.json()
      // The double decides within seconds; the real one takes up to two weeks.
      return Response.json({
        ...body,
        payment_status: 'unpaid',
        payment_intent: { ...body.payment_intent, status: 'processing' },
      })
    })
    shop.clock.advance(72 * 60 * MINUTE_MS)
    await shop.payments.reconcile()
    expect(await statuses()).toEqual(['open'])
    shop.between(async () => {
      const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such session' }
      return Response.json({ error }, { status: 404 })
    })
    await shop.payments.reconcile()
    expect(await statuses()).toEqual(['expired'])
  })

  it('stops when the provider is down, and begins again', async () => {
    await shop.buy()
    await shop.buy()
    shop.clock.advance(10 * MINUTE_MS)
    shop.between(() => Promise.reject(new TypeError('down')))
    expect(await shop.payments.reconcile()).toBe(0)
    expect(shop.asked.filter(each => each.startsWith('GET'))).toHaveLength(1)
    shop.between((request, next) => next(request))
    expect(await shop.payments.reconcile()).toBe(2)
    expect(await shop.counts()).toMatchObject({ paid: 2, cards: 2 })
  })

  it('looks at all of very many, also those of the same instant', async () => {
    for (let n = 0; n < 130; n++) await shop.start()
    shop.clock.advance(10 * MINUTE_MS)
    expect(await shop.payments.reconcile()).toBe(130)
  })

  it('run twice at once makes one card of each', async () => {
    for (let n = 0; n < 5; n++) await shop.buy()
    shop.clock.advance(10 * MINUTE_MS)
    await Promise.all([shop.payments.reconcile(), shop.payments.reconcile()])
    expect(await shop.counts()).toEqual({ paid: 5, cards: 5, sales: 5, mails: 5 })
  })
})
