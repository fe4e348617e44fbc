import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openPaymentsFixture,
  type PaymentsFixture,
  WEBHOOK_SECRET,
} from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

async function completed() {
  await fixture.buy()
  const events = await fixture.collectEvents()
  return events.find(({ body }) => body.includes('"checkout.session.completed"'))!
}

const NOTHING = { paid: 0, cards: 0, sales: 0, mails: 0 }
const ONE = { paid: 1, cards: 1, sales: 1, mails: 1 }

describe('an event of the provider', () => {
  it('makes the card without the buyer coming back', async () => {
    const { body, signature } = await completed()
    await fixture.payments.receiveEvent(body, signature)
    expect(await fixture.counts()).toEqual(ONE)
  })

  it('is refused and changes nothing without the right signature', async () => {
    const { body, signature } = await completed()
    const before = await fixture.test.dump()
    const another = fixture.stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: 'whsec_of_somebody_else',
      timestamp: Math.floor(fixture.clock() / 1000),
    })
    const wrong: [string, string | null][] = [
      [body, null],
      [body, ''],
      [body, 'nonsense'],
      [body, another],
      [body, signature.replace(/v1=(.)/, (_, digit) => `v1=${digit === '0' ? '1' : '0'}`)],
      [body, signature.replace('v1=', 'v0=')],
      [body.replace('"paid"', '"unpaid"'), signature],
      [`${body} `, signature],
      ['', signature],
      ['{"type":"checkout.session.completed"}', signature],
    ]
    for (const [sent, header] of wrong) {
      if (header === signature && sent === body) throw new Error('nothing was altered')
      await expect(fixture.payments.receiveEvent(sent, header)).rejects.toMatchObject({
        code: 'invalid-signature',
        status: 400,
      })
    }
    expect(await fixture.test.dump()).toBe(before)
    expect(await fixture.counts()).toEqual(NOTHING)
    // Anybody can send one: no failure of ours, and no stack in the log.
    expect(fixture.alarms).toEqual([])
  })

  it('is refused when its signature is older than five minutes', async () => {
    const { body, signature } = await completed()
    fixture.clock.advance(299_000)
    await fixture.payments.receiveEvent(body, signature)
    fixture.clock.advance(2_000)
    await expect(fixture.payments.receiveEvent(body, signature)).rejects.toMatchObject({
      code: 'invalid-signature',
    })
  })

  it('says nothing that is believed: a forged paid session of ours is asked about', async () => {
    const { sessionId } = await fixture.start()
    const session = await fixture.stripe.checkout.sessions.retrieve(sessionId)
    const payload = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { ...session, status: 'complete', payment_status: 'paid' } },
    })
    const timestamp = Math.floor(fixture.clock() / 1000)
    const header = fixture.stripe.webhooks.generateTestHeaderString({
      payload,
      secret: WEBHOOK_SECRET,
      timestamp,
    })
    await fixture.payments.receiveEvent(payload, header)
    expect(await fixture.counts()).toEqual(NOTHING)
  })

  it('is taken without a word when it is none of ours', async () => {
    const timestamp = Math.floor(fixture.clock() / 1000)
    for (const type of ['customer.created', 'payment_intent.succeeded', 'something.new']) {
      const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object: { id: 'x' } } })
      const header = fixture.stripe.webhooks.generateTestHeaderString({
        payload,
        secret: WEBHOOK_SECRET,
        timestamp,
      })
      await fixture.payments.receiveEvent(payload, header)
    }
    expect(fixture.asked).toEqual([])
  })

  it('is asked for again when the provider does not answer us', async () => {
    const { body, signature } = await completed()
    fixture.between(() => Promise.reject(new TypeError('down')))
    await expect(fixture.payments.receiveEvent(body, signature)).rejects.toMatchObject({
      code: 'provider-unavailable',
    })
    fixture.between((request, next) => next(request))
    await fixture.payments.receiveEvent(body, signature)
    expect(await fixture.counts()).toEqual(ONE)
  })

  it('of an expired session closes its order', async () => {
    const { sessionId } = await fixture.start()
    await fixture.stripe.checkout.sessions.expire(sessionId)
    await fixture.deliver()
    const orders = await fixture.test.db.read(db => db.selectFrom('orders').select('status').execute())
    expect(orders).toEqual([{ status: 'expired' }])
  })
})
