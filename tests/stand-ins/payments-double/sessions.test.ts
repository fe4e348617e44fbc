import type Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import contract from '#stand-ins/payments-double/contract/generated/contract.json' with { type: 'json' }
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { donation, entry, openDouble, refusal, SITE, START } from './support.ts'

const HOUR = 3_600_000

/** Keys the declarations promise and the answer lacks. */
function lacking(object: { object: string }): string[] {
  const keys = contract.responses[object.object as keyof typeof contract.responses]
  return [...keys.given, ...keys.nullable].filter(
    key => (object as Record<string, unknown>)[key] === undefined,
  )
}

describe('a session', () => {
  it('opens with our url, our order id and no PaymentIntent yet', async () => {
    const { stripe } = openDouble()
    const session = await stripe.checkout.sessions.create(donation())
    expect(session).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: 5850,
      currency: 'eur',
      metadata: { order_id: 'order-1' },
      url: `${SITE}/c/pay/${session.id}`,
      expires_at: START / 1000 + 24 * 3600,
    })
    expect(session.id).toMatch(/^cs_test_[A-Za-z0-9]{58}$/)
  })

  it('gives complete objects, expanded on demand', async () => {
    const { stripe, paid } = openDouble()
    const { id } = await paid('4242424242424242')
    const session = await stripe.checkout.sessions.retrieve(id, {
      expand: ['line_items', 'payment_intent.latest_charge', 'payment_intent.payment_method'],
    })
    const intent = session.payment_intent as Stripe.PaymentIntent
    const charge = intent.latest_charge as Stripe.Charge
    const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })
    const [event] = (await stripe.events.list({ limit: 1 })).data
    const items = session.line_items!.data
    for (const object of [
      session,
      intent,
      charge,
      refund,
      event!,
      intent.payment_method as Stripe.PaymentMethod,
      ...items,
      items[0]!.price!,
    ])
      expect(lacking(object), object.object).toEqual([])
    expect(items.map(item => item.description)).toEqual(['Para las organizaciones', 'Apoyo'])
    expect(charge.amount_captured).toBe(5850)
  })

  it('says when a path cannot be expanded, and then opens nothing', async () => {
    const { stripe } = openDouble()
    const error = await refusal(stripe.checkout.sessions.create(donation({ expand: ['metadata.order_id'] })))
    expect(error).toMatchObject({ statusCode: 400, param: 'expand' })
    expect((await stripe.checkout.sessions.list()).data).toEqual([])
  })

  it('copies the PaymentIntent metadata to the charge, not its own', async () => {
    const { stripe, paid } = openDouble()
    const { id } = await paid('4242424242424242', {
      metadata: { only: 'session' },
      payment_intent_data: { metadata: { order_id: 'order-7' } },
    })
    const { payment_intent } = await stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge'],
    })
    const intent = payment_intent as Stripe.PaymentIntent
    expect(intent.metadata).toEqual({ order_id: 'order-7' })
    expect((intent.latest_charge as Stripe.Charge).metadata).toEqual({ order_id: 'order-7' })
  })

  it('stays open after a decline, with the reason, and is paid by the next try of the same PaymentIntent', async () => {
    const { stripe, paid, press, types, double } = openDouble()
    const { id, status, payment_intent } = await paid('4000 0000 0000 9995')
    expect(status).toBe('open')
    const intent = await stripe.paymentIntents.retrieve(payment_intent as string)
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
    })
    await press(id, entry())
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      payment_intent,
    })
    await double.runDue()
    expect(types().filter(type => type === 'payment_intent.created')).toHaveLength(1)
    expect(
      (await stripe.charges.list({ payment_intent: intent.id })).data.map(charge => charge.status),
    ).toEqual(['succeeded', 'failed'])
  })

  it.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009987', 'card_declined'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000127', 'incorrect_cvc'],
    ['4000000000000119', 'processing_error'],
  ])('is not paid by %s: %s', async (card, code) => {
    const { stripe, paid } = openDouble()
    const session = await paid(card)
    expect(session.payment_status).toBe('unpaid')
    const intent = await stripe.paymentIntents.retrieve(session.payment_intent as string)
    expect(intent.last_payment_error?.code).toBe(code)
  })

  it('is charged once, however often the buyer presses', async () => {
    const { stripe, paid, press } = openDouble()
    const { id, payment_intent } = await paid('4242424242424242')
    const again = await Promise.all([press(id, entry()), press(id, entry())])
    for (const { response } of again)
      expect(response.headers.get('location')).toBe(`${SITE}/success?session_id=${id}`)
    expect((await stripe.charges.list({ payment_intent: payment_intent as string })).data).toHaveLength(1)
  })

  it.each(['4000002500003155', '4000002760003184', '4000000000003220'])(
    'waits for the bank with %s: refused first, confirmed then',
    async card => {
      const { stripe, paid, press, page } = openDouble()
      const { id, payment_intent } = await paid(card)
      const intent = () => stripe.paymentIntents.retrieve(payment_intent as string)
      expect((await intent()).status).toBe('requires_action')
      expect((await page(id)).text).toContain('data-action="confirm"')
      // A press of the form from another window changes nothing while the bank asks.
      await press(id, entry())
      expect((await intent()).status).toBe('requires_action')

      expect((await press(id, { challenge: 'fail' })).text).toContain('Tu banco no ha confirmado el pago')
      expect((await intent()).last_payment_error?.code).toBe('payment_intent_authentication_failure')
      await press(id, entry({ card_number: card }))
      expect((await press(id, { challenge: 'pass' })).response.status).toBe(303)
      expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
        status: 'complete',
        payment_status: 'paid',
      })
    },
  )

  it('is declined after the bank confirmed, when the card is that one', async () => {
    const { stripe, paid, press } = openDouble()
    const { id } = await paid('4000008400001629')
    expect((await press(id, { challenge: 'pass' })).text).toContain('La tarjeta ha sido rechazada')
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
  })

  it('is not paid by an answer to a question the bank never asked', async () => {
    const { stripe, press } = openDouble()
    const { id } = await stripe.checkout.sessions.create(donation())
    await press(id, { challenge: 'pass' })
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
  })

  it('is complete and unpaid with a direct debit, and paid when it arrives', async () => {
    const { stripe, paid, advance, types } = openDouble()
    const { id, status, payment_status } = await paid('AT61 1904 3002 3457 3201')
    expect([status, payment_status]).toEqual(['complete', 'unpaid'])
    await advance(DELAYS.sepaResultMs - 1)
    expect(types()).toContain('checkout.session.completed')
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('unpaid')
    await advance(1)
    expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid')
    expect(types().at(-1)).toBe('checkout.session.async_payment_succeeded')
  })

  it('stays unpaid when the direct debit fails', async () => {
    const { stripe, paid, advance, types } = openDouble()
    const { id, payment_intent } = await paid('AT861904300235473202')
    await advance(DELAYS.sepaResultMs)
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
    })
    expect((await stripe.paymentIntents.retrieve(payment_intent as string)).status).toBe(
      'requires_payment_method',
    )
    expect(types().at(-1)).toBe('checkout.session.async_payment_failed')
    expect(types()).not.toContain('checkout.session.async_payment_succeeded')
  })

  it('offers direct debit only in euros and only when it is allowed', async () => {
    const { stripe } = openDouble()
    const types = async (overrides: Partial<Stripe.Checkout.SessionCreateParams>) =>
      (await stripe.checkout.sessions.create(donation(overrides))).payment_method_types
    const pounds = {
      line_items: [
        {
          ...donation().line_items![0]!,
          price_data: { currency: 'gbp', unit_amount: 500, product_data: { name: 'x' } },
        },
      ],
    }
    expect(await types({})).toEqual(['card', 'sepa_debit'])
    expect(await types(pounds)).toEqual(['card'])
    expect(await types({ allowed_payment_method_types: ['card'] })).toEqual(['card'])
    expect(await types({ excluded_payment_method_types: ['sepa_debit'] })).toEqual(['card'])
  })

  it('expires by the clock and then takes no payment', async () => {
    const { stripe, time, press, page, advance, types } = openDouble()
    const { id } = await stripe.checkout.sessions.create(donation({ expires_at: START / 1000 + 3600 }))
    time.now += HOUR - 1
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('open')
    time.now += 1
    const late = await press(id, entry())
    expect(late.response.status).toBe(410)
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
      status: 'expired',
      url: null,
      payment_intent: null,
    })
    expect((await page(id)).text).toContain('Esta página de pago ha caducado')
    await advance(0)
    expect(types()).toEqual(['checkout.session.expired'])
  })

  it('does not expire once it is paid', async () => {
    const { stripe, paid, advance, types } = openDouble()
    const { id } = await paid('4242424242424242')
    await advance(25 * HOUR)
    expect((await stripe.checkout.sessions.retrieve(id)).status).toBe('complete')
    expect(types()).not.toContain('checkout.session.expired')
  })

  it('can be expired by us while it is open, once', async () => {
    const { stripe, paid } = openDouble()
    const { id, payment_intent } = await paid('4000000000000002')
    expect((await stripe.checkout.sessions.expire(id)).status).toBe('expired')
    expect((await stripe.paymentIntents.retrieve(payment_intent as string)).status).toBe('canceled')
    expect(await refusal(stripe.checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 })
  })
})

describe('lists', () => {
  it('give every session once, newest first, page by page', async () => {
    const { stripe } = openDouble()
    const made: string[] = []
    for (let n = 0; n < 23; n++) made.push((await stripe.checkout.sessions.create(donation())).id)
    const seen: string[] = []
    for await (const session of stripe.checkout.sessions.list({ limit: 5 })) seen.push(session.id)
    expect(seen).toEqual(made.toReversed())
    const back = await stripe.checkout.sessions.list({ limit: 3, ending_before: made[10]! })
    expect(back.data.map(session => session.id)).toEqual([made[13], made[12], made[11]])
    expect(back.has_more).toBe(true)
    const top = await stripe.checkout.sessions.list({ limit: 3, ending_before: made[20]! })
    expect(top.data.map(session => session.id)).toEqual([made[22], made[21]])
    expect(top.has_more).toBe(false)
  })

  it('can be narrowed by status, time and type', async () => {
    const { stripe, paid, time, double } = openDouble()
    const early = await paid('4242424242424242')
    time.now += HOUR
    const open = await stripe.checkout.sessions.create(donation())
    const ids = async (params: Stripe.Checkout.SessionListParams) =>
      (await stripe.checkout.sessions.list(params)).data.map(session => session.id)
    expect(await ids({ status: 'open' })).toEqual([open.id])
    expect(await ids({ payment_intent: early.payment_intent as string })).toEqual([early.id])
    expect(await ids({ payment_intent: '*' })).toEqual([])
    expect(await ids({ created: { gte: START / 1000, lt: START / 1000 + 3600 } })).toEqual([early.id])
    expect(await ids({ created: { gt: START / 1000 } })).toEqual([open.id])
    await double.runDue()
    const types = async (params: Stripe.EventListParams) =>
      (await stripe.events.list(params)).data.map(event => event.type)
    expect(await types({ type: 'charge.*' })).toEqual(['charge.succeeded'])
    expect(await types({ types: ['payment_intent.created', 'checkout.session.completed'] })).toEqual([
      'checkout.session.completed',
      'payment_intent.created',
    ])
  })

  it('refuse pages out of range and unknown cursors', async () => {
    const { stripe } = openDouble()
    expect(await refusal(stripe.refunds.list({ limit: 101 }))).toMatchObject({
      statusCode: 400,
      param: 'limit',
    })
    expect(await refusal(stripe.events.list({ starting_after: 'evt_none' }))).toMatchObject({
      statusCode: 404,
    })
  })
})
