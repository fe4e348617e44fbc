import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { autoDonateAt } from '#domain/card/term.ts'
import type { Currency } from '#domain/money/currency.ts'
import { Problem } from '#domain/problems.ts'
import { checkoutParameters } from '#server/modules/payments/checkout-parameters.ts'
import { isOfPress, keepSession, sessionOf } from '#server/modules/payments/orders.ts'
import { startDonation } from '#server/modules/payments/start.ts'
import { createStripeClients } from '#server/modules/payments/stripe-client.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture, SITE } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const CREATE = 'POST /v1/checkout/sessions'
const KEY = 'a press of the button'

const orders = () => fixture.test.db.read(db => db.selectFrom('orders').selectAll().execute())
const created = () => fixture.asked.filter(each => each === CREATE).length
const sessions = async () => (await fixture.stripe.checkout.sessions.list({ limit: 100 })).data

/** The prices of the product, written down once more: whole units for the organisations. */
const PRICES: Readonly<Record<string, readonly number[]>> = {
  'keep the chain': [2, 5],
  'their food': [20, 50],
  'their water': [50, 100],
  'their homes': [70, 200],
  'their lifes': [120, 300],
}
const CURRENCIES: readonly Currency[] = ['EUR', 'USD', 'CAD', 'GBP']

describe('starting a payment', () => {
  it('keeps the organisation that the buyer names for an unused card', async () => {
    await fixture.start({ fallbackNgoId: 'msf', attemptKey: KEY })
    expect(await orders()).toMatchObject([
      { fallback_ngo_id: 'msf', term_months: 12, reminder_days: '[30,7]' },
    ])
    // Another name is another purchase.
    await expect(fixture.start({ fallbackNgoId: 'cerf', attemptKey: KEY })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
  })

  it('keeps the tax and the VAT of its market as they were quoted, whatever is set later', async () => {
    fixture.markets = { ...fixture.markets, EUR: { ...fixture.markets.EUR, taxShare: 10, vatRate: 5.5 } }
    await fixture.start({ attemptKey: KEY })
    fixture.markets = { ...fixture.markets, EUR: { ...fixture.markets.EUR, taxShare: 0, vatRate: 0 } }
    // The same press again: its order is not quoted anew.
    await fixture.start({ attemptKey: KEY })
    expect(await orders()).toMatchObject([
      { support_amount: 1_500, tax_amount: 150, vat_rate: 550, vat_amount: 78 },
    ])
  })

  it.each(['gone', '', '__proto__'])(
    'refuses the organisation %j, which no card can be given to',
    async id => {
      await expect(fixture.start({ fallbackNgoId: id })).rejects.toMatchObject({
        code: 'ngo-not-listed',
        details: { fields: [{ path: 'fallback_ngo', rule: 'listed' }] },
      })
      expect(await orders()).toEqual([])
      expect(created()).toBe(0)
    },
  )

  it('gives the card the term that its buyer was told, whatever the operator sets meanwhile', async () => {
    const terms = { ...fixture.deps, termOf: () => ({ months: 18, reminderDays: [60, 7] }) }
    const { url } = await startDonation(terms, { ...aStart, fallbackNgoId: 'msf' })
    const sessionId = url.slice(url.lastIndexOf('/') + 1)
    await fixture.pay(sessionId)
    const { autoDonateAt: end } = await fixture.payments.settle(sessionId)
    const [order] = await orders()
    expect(end).toBe(autoDonateAt(order!.settled_at!, 18))
    expect(await fixture.findings()).toEqual([])
  })

  it('writes down which terms were accepted, and the words of the consent that was given', async () => {
    await fixture.start({ language: 'en' })
    const [order] = await orders()
    expect(order).toMatchObject({
      terms_version: aStart.termsVersion,
      fulfilment_consent:
        'Fulfill the gift as soon as it is used. I know that I then lose the right to withdraw.',
    })
  })

  it('asks for that consent where the law does, and nowhere else', async () => {
    await fixture.start({ currency: 'USD', fulfilmentConsent: false })
    expect(await orders()).toMatchObject([{ fulfilment_consent: null }])
    for (const currency of ['EUR', 'GBP'] as const)
      await expect(fixture.start({ currency, fulfilmentConsent: false })).rejects.toMatchObject({
        code: 'invalid-fields',
        details: { fields: [{ path: 'fulfilment_consent', rule: 'required' }] },
      })
    expect(await orders()).toHaveLength(1)
    expect(created()).toBe(1)
  })

  it('asks nothing of the provider, and keeps nothing, for terms that may not be accepted', async () => {
    const refuse = async () => {
      throw new Problem('terms-changed')
    }
    const start = startDonation({ ...fixture.deps, terms: { accept: refuse } }, aStart)
    await expect(start).rejects.toMatchObject({ code: 'terms-changed' })
    expect(await orders()).toEqual([])
    expect(created()).toBe(0)
  })

  it('opens a session with our prices, in the language of the buyer, named after the order', async () => {
    const { sessionId, url } = await fixture.start({ language: 'fr', currency: 'CAD' })
    const [order] = await orders()
    expect(url).toContain(sessionId)
    const session = await fixture.stripe.checkout.sessions.retrieve(sessionId, { expand: ['line_items'] })
    expect(session).toMatchObject({
      amount_total: 6_500,
      currency: 'cad',
      locale: 'fr',
      submit_type: 'pay',
      ui_mode: 'hosted_page',
      client_reference_id: order!.id,
      metadata: { order_id: order!.id },
      success_url: `${SITE}/fr/intro/no-refresh/donation-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${SITE}/fr/intro/no-refresh/donation-cancel`,
      expires_at: order!.expires_at / 1000,
    })
    const lines = session.line_items!.data.map(line => [line.description, line.amount_total]).sort()
    expect(lines).toEqual([
      ['Carte cadeau qui donne', 5_000],
      [expect.stringContaining('Soutien'), 1_500],
    ])
    expect(order).toMatchObject({
      status: 'open',
      package_id: 'their water',
      theme_id: 'ukraine',
      sender_name: 'Aina',
      language: 'fr',
      currency: 'CAD',
      ngo_amount: 5_000,
      support_amount: 1_500,
      tax_amount: 315,
      total_amount: 6_500,
      checkout_session_digest: fixture.deps.keys.keyedDigest(sessionId),
      attempt_key_digest: null,
    })
  })

  it('leaves the support line out where there is none, and the name where it is kept', async () => {
    const { sessionId } = await fixture.start({ supportAmount: 0, sender: { kind: 'anonymous' } })
    const items = await fixture.stripe.checkout.sessions.listLineItems(sessionId)
    expect(items.data).toHaveLength(1)
    expect(await orders()).toMatchObject([{ sender_name: null, support_amount: 0, tax_amount: 0 }])
  })

  it('has its id on the charge, where refunds and disputes will look for it', async () => {
    await fixture.buy()
    const [charge] = (await fixture.stripe.charges.list({ limit: 1 })).data
    expect(charge!.metadata).toEqual({ order_id: (await orders())[0]!.id })
  })

  it('opens a payment for every listed price in every currency', async () => {
    for (const [packageId, prices] of Object.entries(PRICES))
      for (const units of prices)
        for (const currency of CURRENCIES)
          await fixture.start({ packageId, ngoAmount: units * 100, supportAmount: 0, currency })
    expect(created()).toBe(40)
    const amounts = (await orders()).map(order => order.total_amount)
    expect(amounts.sort((a, b) => a - b)).toEqual(
      Object.values(PRICES)
        .flat()
        .flatMap(units => CURRENCIES.map(() => units * 100))
        .sort((a, b) => a - b),
    )
  })
})

describe('a price that is not in the tables', () => {
  it('is refused, whatever the package, the amount and the currency, and nothing is opened', async () => {
    const amounts = [
      0,
      1,
      199,
      201,
      250,
      ...Object.values(PRICES)
        .flat()
        .map(units => units * 100),
      5_001,
      -200,
      0.5,
      2_000_000,
    ]
    const packages = [
      ...Object.keys(PRICES),
      'giftcard-free',
      'inauguration package',
      '',
      'toString',
      'Their Water',
    ]
    let refused = 0
    for (const packageId of packages)
      for (const ngoAmount of amounts)
        for (const currency of CURRENCIES) {
          if (Object.hasOwn(PRICES, packageId) && PRICES[packageId]!.includes(ngoAmount / 100)) continue
          const attempt = fixture.payments.startDonation({
            ...aStart,
            packageId,
            ngoAmount,
            supportAmount: 0,
            currency,
          })
          await expect(attempt).rejects.toMatchObject({ code: 'price-not-listed' })
          refused++
        }
    expect(refused).toBeGreaterThan(700)
    expect(await orders()).toEqual([])
    expect(fixture.asked).toEqual([])
  })

  it('is refused for a support amount that the slider cannot give', async () => {
    const amounts = [1, 99, 101, 501, 1_499, 5_100, 10_000, -500, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER]
    for (const supportAmount of amounts) {
      const attempt = fixture.payments.startDonation({ ...aStart, supportAmount })
      await expect(attempt, String(supportAmount)).rejects.toMatchObject({ code: 'price-not-listed' })
    }
    expect(await orders()).toEqual([])
    expect(fixture.asked).toEqual([])
  })
})

describe('the key of a press', () => {
  it('gives one order and one session, however often it arrives', async () => {
    const first = await fixture.start({ attemptKey: KEY })
    expect(await fixture.start({ attemptKey: KEY })).toEqual(first)
    expect(await orders()).toHaveLength(1)
    expect(created()).toBe(1)
    expect(await fixture.test.dump()).not.toContain(KEY)
  })

  it('gives one order and one session to presses at the same instant', async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => fixture.start({ attemptKey: KEY })))
    expect(new Set(opened.map(({ url }) => url)).size).toBe(1)
    expect(await orders()).toHaveLength(1)
    expect(await sessions()).toHaveLength(1)
  })

  it('gives two sessions to two keys, and to no key', async () => {
    await fixture.start({ attemptKey: KEY })
    await fixture.start({ attemptKey: `${KEY}!` })
    await fixture.start()
    await fixture.start()
    expect(await sessions()).toHaveLength(4)
  })

  it.each([
    { ngoAmount: 10_000, supportAmount: 0 },
    { supportAmount: 0 },
    { currency: 'USD' },
    { themeId: 'palestine' },
    { sender: { kind: 'anonymous' } },
    { language: 'en' },
  ] as const)('is refused for another purchase: %j', async changes => {
    await fixture.start({ attemptKey: KEY })
    const attempt = fixture.start({ attemptKey: KEY, ...changes })
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid-fields',
      details: { fields: [{ path: 'Idempotency-Key', rule: 'used-otherwise' }] },
    })
    expect(await orders()).toHaveLength(1)
  })

  it('gives no other press the session of an order that somebody has opened again for it', async () => {
    const paid = await fixture.buy({ attemptKey: KEY })
    await fixture.payments.settle(paid.sessionId)
    const [order] = await orders()
    await fixture.start({ attemptKey: 'a press of somebody else' })
    const own = (await orders()).find(({ id }) => id !== order!.id)!
    await fixture.test.plant(
      `update orders set attempt_key_digest = null where id = '${own.id}'`,
      `update orders set status = 'open', settled_at = null, seal = null, checkout_session_digest = null,
        checkout_session_sealed = null, attempt_key_digest = '${own.attempt_key_digest}',
        request_digest = '${own.request_digest}' where id = '${order!.id}'`,
    )
    const press = { ...aStart, attemptKey: 'a press of somebody else' }
    expect((await startDonation(fixture.deps, press)).url).not.toContain(paid.sessionId)
  })

  it('gives no other press the session that an order keeps', async () => {
    const open = await fixture.start({ attemptKey: KEY })
    const [order] = await orders()
    await fixture.start({ attemptKey: 'a press of somebody else' })
    const own = (await orders()).find(({ id }) => id !== order!.id)!
    await fixture.test.plant(
      `update orders set attempt_key_digest = null where id = '${own.id}'`,
      `update orders set attempt_key_digest = '${own.attempt_key_digest}',
        request_digest = '${own.request_digest}' where id = '${order!.id}'`,
    )
    const press = { ...aStart, attemptKey: 'a press of somebody else' }
    expect((await startDonation(fixture.deps, press)).url).not.toContain(open.sessionId)
  })

  it('leads to the session that the version before has kept', async () => {
    const { sessionId } = await fixture.start({ attemptKey: KEY })
    const [order] = await orders()
    const { keys } = fixture.deps
    // That version sealed the session alone, without the press.
    await fixture.test.db.transaction(trx =>
      trx
        .updateTable('orders')
        .set({ checkout_session_sealed: keys.seal(sessionId, order!.id) })
        .execute(),
    )
    const [kept] = await orders()
    expect(sessionOf(kept!, keys)).toBe(sessionId)
    expect(isOfPress(kept!, keys)).toBe(true)
    expect((await fixture.start({ attemptKey: KEY })).sessionId).toBe(sessionId)
    expect(created()).toBe(1)
  })

  it('leads to the session that is kept where another server was first', async () => {
    // The other server asks the provider under a name of its own, as the version before does.
    let other: string | undefined
    fixture.between(async (request, next) => {
      const answer = await next(request)
      if (other === undefined && request.method === 'POST') {
        other = 'asked'
        const [order] = await orders()
        const session = await fixture.stripe.checkout.sessions.create(checkoutParameters(SITE, order!))
        other = session.id
        await fixture.test.db.transaction(trx =>
          keepSession(trx, fixture.deps.keys, {
            orderId: order!.id,
            sessionId: session.id,
            press: order!.attempt_key_digest,
          }),
        )
      }
      return answer
    })
    const { url } = await startDonation(fixture.deps, { ...aStart, attemptKey: KEY })
    expect(url).toContain(other)
  })

  it('opens one session when the first answer of the provider was lost', async () => {
    fixture.between(async (request, next) => {
      await next(request)
      throw new TypeError('connection reset')
    })
    await expect(fixture.start({ attemptKey: KEY })).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.between((request, next) => next(request))
    // Later, by another second of the clock: what is sent must be the same all the same.
    fixture.clock.advance(90_000)
    const { sessionId } = await fixture.start({ attemptKey: KEY })
    expect((await sessions()).map(({ id }) => id)).toEqual([sessionId])
    expect(await orders()).toMatchObject([
      { checkout_session_digest: fixture.deps.keys.keyedDigest(sessionId) },
    ])
  })

  it('asks under another key some minutes later, as the provider repeats a failure of its own', async () => {
    const keys: (string | null)[] = []
    let isMended = false
    fixture.between((request, next) => {
      keys.push(request.headers.get('Idempotency-Key'))
      return isMended
        ? next(request)
        : Promise.resolve(Response.json({ error: { type: 'api_error', message: 'x' } }, { status: 500 }))
    })
    await expect(fixture.start({ attemptKey: KEY })).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.clock.advance(10 * 60_000)
    isMended = true
    await fixture.start({ attemptKey: KEY })
    expect(new Set(keys.slice(0, -1)).size).toBe(1)
    expect(keys.at(-1)).not.toBe(keys[0])
    expect(await orders()).toHaveLength(1)
  })

  it('alarms nobody of an earlier session that was lost with its answer, and that nobody can pay', async () => {
    fixture.between(async (request, next) => {
      await next(request)
      throw new TypeError('connection reset')
    })
    await expect(fixture.start({ attemptKey: KEY })).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.between((request, next) => next(request))
    fixture.alarms.length = 0
    fixture.clock.advance(10 * 60_000)
    const { sessionId } = await fixture.buy({ attemptKey: KEY })
    expect(await sessions()).toHaveLength(2)
    fixture.clock.advance(24 * 3_600_000)
    await fixture.deliver()
    expect(await fixture.counts()).toMatchObject({ paid: 1, cards: 1, sales: 1 })
    expect(await fixture.payments.settle(sessionId).catch(error => error.code)).toBeDefined()
    expect(fixture.alarms).toEqual([])
  })

  it('lets the client itself repeat a lost call', async () => {
    let calls = 0
    const { stripe } = createStripeClients({
      secretKey: 'sk_test_local',
      fetch: async (url, init) => {
        const response = await fixture.double.fetch(new Request(url, init))
        if (++calls === 1) throw new TypeError('connection reset')
        return response
      },
    })
    await startDonation({ ...fixture.deps, stripe }, aStart)
    expect(calls).toBe(2)
    expect(await sessions()).toHaveLength(1)
  })

  it('opens a new payment once its session has expired', async () => {
    const first = await fixture.start({ attemptKey: KEY })
    await fixture.stripe.checkout.sessions.expire(first.sessionId)
    const second = await fixture.start({ attemptKey: KEY })
    expect(second.sessionId).not.toBe(first.sessionId)
    expect(await fixture.start({ attemptKey: KEY })).toEqual(second)
    expect((await orders()).map(({ status }) => status).sort()).toEqual(['expired', 'open'])
  })

  it('opens a new payment when it is too late for the order that never got one', async () => {
    fixture.between(() => Promise.reject(new TypeError('down')))
    await expect(fixture.start({ attemptKey: KEY })).rejects.toMatchObject({ code: 'provider-unavailable' })
    fixture.between((request, next) => next(request))
    fixture.clock.advance(22.9 * 3_600_000)
    const { sessionId } = await fixture.start({ attemptKey: KEY })
    await fixture.pay(sessionId)
    expect((await fixture.payments.settle(sessionId)).senderName).toBe('Aina')
  })

  it('leads to the success page what has been paid meanwhile, and opens nothing', async () => {
    const { sessionId } = await fixture.buy({ attemptKey: KEY })
    const { url } = await fixture.payments.startDonation({ ...aStart, attemptKey: KEY })
    expect(url).toBe(`${SITE}/es/intro/no-refresh/donation-success?session_id=${sessionId}`)
    // In another language it is the same gift, and paid as well: it was only not settled yet.
    await expect(fixture.start({ attemptKey: KEY, language: 'fr' })).rejects.toMatchObject({
      code: 'invalid-fields',
      details: { fields: [{ rule: 'spent' }] },
    })
    await fixture.payments.settle(sessionId)
    await expect(fixture.start({ attemptKey: KEY })).rejects.toMatchObject({
      code: 'invalid-fields',
      details: { fields: [{ rule: 'spent' }] },
    })
    // The browser presses with it for the same gift in another language, too.
    await expect(fixture.start({ attemptKey: KEY, language: 'fr' })).rejects.toMatchObject({
      code: 'invalid-fields',
      details: { fields: [{ rule: 'spent' }] },
    })
    expect(await sessions()).toHaveLength(1)
  })
})

describe('a provider in trouble', () => {
  it.each<[string, () => Promise<Response>]>([
    [
      'answers 500',
      async () => Response.json({ error: { type: 'api_error', message: 'x' } }, { status: 500 }),
    ],
    [
      'answers 429',
      async () => Response.json({ error: { type: 'rate_limit_error', message: 'x' } }, { status: 429 }),
    ],
    ['is cut off', () => Promise.reject(new TypeError('reset'))],
    [
      'refuses the key',
      async () => Response.json({ error: { type: 'invalid_request_error', message: 'x' } }, { status: 401 }),
    ],
  ])('%s: the buyer may try again, and then pays one session', async (_, answer) => {
    fixture.between(answer)
    await expect(fixture.start({ attemptKey: KEY })).rejects.toMatchObject({
      code: 'provider-unavailable',
      status: 502,
    })
    expect(fixture.alarms).toEqual(['payment-provider-failed'])
    fixture.between((request, next) => next(request))
    await fixture.start({ attemptKey: KEY })
    expect(await orders()).toHaveLength(1)
    expect(await sessions()).toHaveLength(1)
  })
})
