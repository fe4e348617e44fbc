import { describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { retryDelayMs } from '#stand-ins/payments-double/index.ts'
import { openDouble, SECRET, SITE } from './support.ts'

describe('an event', () => {
  it('reaches our endpoint signed, so that the SDK accepts it', async () => {
    const { stripe, paid, advance, received, time } = openDouble()
    const { id } = await paid('4242424242424242')
    await advance(0)
    const sent = received.find(one => one.type === 'checkout.session.completed')!
    expect(sent.url).toBe(`${SITE}/api/stripe/webhook`)
    const event = stripe.webhooks.constructEvent(
      sent.body,
      sent.signature,
      SECRET,
      undefined,
      undefined,
      time.now,
    )
    expect(event).toMatchObject({
      api_version: '2026-10-28.endive',
      data: { object: { id, payment_status: 'paid' } },
    })
    expect(await stripe.events.retrieve(event.id)).toMatchObject({ type: event.type, pending_webhooks: 0 })
  })

  it('is refused by the SDK with another secret, an altered body, or too late', async () => {
    const { stripe, paid, advance, received, time } = openDouble()
    await paid('4242424242424242')
    await advance(0)
    const { body, signature } = received[0]!
    const read = (text: string, secret: string, at: number) => () =>
      stripe.webhooks.constructEvent(text, signature, secret, undefined, undefined, at)
    expect(read(body, SECRET, time.now)).not.toThrow()
    expect(read(body, 'whsec_other', time.now)).toThrow(/signature/i)
    expect(read(body.replace('5850', '9999'), SECRET, time.now)).toThrow(/signature/i)
    expect(read(body, SECRET, time.now + 400_000)).toThrow(/tolerance/i)
  })

  it.each([500, 302, 404])('comes again after %i, later each time and freshly signed', async status => {
    const { stripe, paid, advance, received, endpoint, time } = openDouble()
    await paid('4242424242424242')
    endpoint.status = status
    await advance(0)
    const completed = () => received.filter(one => one.type === 'checkout.session.completed')
    expect(completed()).toHaveLength(1)
    await advance(retryDelayMs(1) - 1)
    expect(completed()).toHaveLength(1)
    await advance(1)
    expect(completed()).toHaveLength(2)
    endpoint.status = 200
    await advance(retryDelayMs(2))
    const [first, , third] = completed()
    expect(third!.body).toBe(first!.body)
    expect(third!.signature).not.toBe(first!.signature)
    expect(() =>
      stripe.webhooks.constructEvent(third!.body, third!.signature, SECRET, undefined, undefined, time.now),
    ).not.toThrow()
    await advance(DAY_MS)
    expect(completed()).toHaveLength(3)
  })

  it('is given up three days after it first was due', async () => {
    const { paid, advance, received, endpoint } = openDouble()
    await paid('4242424242424242')
    endpoint.status = 500
    for (let hour = 0; hour < 24 * 5; hour++) await advance(DAY_MS / 24)
    // Meanwhile the money is paid out, which has events of its own.
    const tries = () => received.filter(({ type }) => !type.startsWith('payout.')).length
    const before = tries()
    expect(before).toBeGreaterThan(20)
    await advance(10 * DAY_MS)
    expect(tries()).toBe(before)
  })

  it('is delivered although the double was restarted between payment and delivery', async () => {
    const setting = openDouble()
    const { id } = await setting.paid('4242424242424242')
    setting.endpoint.status = 503
    await setting.advance(0)
    setting.restart()
    setting.endpoint.status = 200
    await setting.advance(retryDelayMs(1))
    const last = setting.received.filter(one => one.type === 'checkout.session.completed').at(-1)!
    expect(JSON.parse(last.body)).toMatchObject({ data: { object: { id } } })
    expect(setting.received.filter(one => one.type === 'checkout.session.completed')).toHaveLength(2)
    const events = (await setting.stripe.events.list()).data
    expect(events.map(event => event.pending_webhooks)).toEqual(events.map(() => 0))
  })

  it('is sent again when the process died while it waited for the answer', async () => {
    const setting = openDouble()
    await setting.paid('4242424242424242')
    setting.endpoint.status = 'no answer'
    void setting.double.runDue()
    setting.restart()
    setting.endpoint.status = 200
    setting.received.length = 0
    await setting.advance(29_999)
    expect(setting.received).toEqual([])
    await setting.advance(1)
    expect(setting.types()).toContain('checkout.session.completed')
  })

  it('is sent by one of two processes on the same file', async () => {
    const { double, open, paid, types } = openDouble()
    await paid('4242424242424242')
    const other = open()
    await Promise.all([double.runDue(), other.runDue()])
    other.close()
    expect(types().toSorted()).toEqual([...new Set(types())].toSorted())
    expect(types()).toContain('checkout.session.completed')
  })

  it('keeps the tasks of a later time across a restart', async () => {
    const setting = openDouble()
    const { id } = await setting.paid('AT61 1904 3002 3457 3201')
    setting.restart()
    await setting.advance(DAY_MS)
    expect((await setting.stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid')
  })

  it('can be sent once more by hand', async () => {
    const { stripe, paid, advance, received, double } = openDouble()
    await paid('4242424242424242')
    await advance(0)
    const [event] = (await stripe.events.list({ type: 'checkout.session.completed' })).data
    await double.resend(event!.id)
    expect(received.filter(one => one.type === 'checkout.session.completed')).toHaveLength(2)
  })
})
