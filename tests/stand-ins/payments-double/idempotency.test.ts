import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { donation, entry, openDouble, refusal, START } from './support.ts'

const key = { idempotencyKey: 'checkout:order-1' }

describe('an idempotency key', () => {
  it('gives the first answer again, and says so', async () => {
    const { stripe } = openDouble()
    const first = await stripe.checkout.sessions.create(donation(), key)
    const second = await stripe.checkout.sessions.create(donation(), key)
    expect(second).toEqual(first)
    expect((second.lastResponse as unknown as Response).headers.get('idempotent-replayed')).toBe('true')
    expect((first.lastResponse as unknown as Response).headers.get('idempotent-replayed')).toBeNull()
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
  })

  it('does not follow what happened meanwhile: the replay still says open', async () => {
    const { stripe, press } = openDouble()
    const { id } = await stripe.checkout.sessions.create(donation(), key)
    await press(id, entry())
    expect((await stripe.checkout.sessions.create(donation(), key)).status).toBe('open')
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('complete')
  })

  it('is refused for another request, such as one with a recomputed expiry', async () => {
    const { stripe } = openDouble()
    const at = START / 1000 + 3600
    await stripe.checkout.sessions.create(donation({ expires_at: at }), key)
    const error = await refusal(stripe.checkout.sessions.create(donation({ expires_at: at + 1 }), key))
    expect(error).toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
    expect(await refusal(stripe.refunds.create({ charge: 'ch_1' }, key))).toMatchObject({
      type: 'StripeIdempotencyError',
    })
  })

  it('replays although the same expiry would be too near by now', async () => {
    const { stripe, time } = openDouble()
    const params = donation({ expires_at: START / 1000 + 1800 })
    const { id } = await stripe.checkout.sessions.create(params, key)
    time.now += 60_000
    expect((await stripe.checkout.sessions.create(params, key)).id).toBe(id)
  })

  it('stays free when the request is refused by validation', async () => {
    const { stripe } = openDouble()
    await refusal(stripe.checkout.sessions.create(donation({ locale: 'klingon' }), key))
    await refusal(stripe.checkout.sessions.create(donation({ line_items: [] }), key))
    await expect(stripe.checkout.sessions.create(donation(), key)).resolves.toMatchObject({ status: 'open' })
  })

  it('keeps a refusal that came out of the work itself', async () => {
    const { stripe, paid } = openDouble()
    const { payment_intent } = await paid('4000000000000002')
    const refund = { payment_intent: payment_intent as string }
    const first = await refusal(stripe.refunds.create(refund, key))
    const second = await refusal(stripe.refunds.create(refund, key))
    expect(second.message).toBe(first.message)
    expect((second.headers as Record<string, string>)['idempotent-replayed']).toBe('true')
  })

  it('is forgotten after a day, and not before', async () => {
    const { stripe, time } = openDouble()
    const { id } = await stripe.checkout.sessions.create(donation(), key)
    time.now += DAY_MS - 1
    expect((await stripe.checkout.sessions.create(donation(), key)).id).toBe(id)
    time.now += 1
    expect((await stripe.checkout.sessions.create(donation(), key)).id).not.toBe(id)
  })

  it('outlives a restart', async () => {
    const setting = openDouble()
    const { id } = await setting.stripe.checkout.sessions.create(donation(), key)
    setting.restart()
    expect((await setting.stripe.checkout.sessions.create(donation(), key)).id).toBe(id)
  })

  it('of the SDK itself makes one session of a request whose answer was lost', async () => {
    const { double } = openDouble()
    let calls = 0
    const stripe = new Stripe('sk_test_local', {
      maxNetworkRetries: 1,
      httpClient: Stripe.createFetchHttpClient(async (input, init) => {
        const response = await double.fetch(new Request(input, init))
        calls += 1
        if (calls === 1) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
        return response
      }),
    })
    await stripe.checkout.sessions.create(donation())
    expect(calls).toBe(2)
    expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
  })
})
