import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PARTNER_SCOPES, type PartnerScope } from '#domain/partner/partner.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { addPartner, revokePartner } from '#server/modules/partners/partner-acts.ts'
import { askForCard, pay } from '#tests/support/product/buy.ts'
import { type Answer, call, outcomeOf, post } from '#tests/support/product/call.ts'
import { PARTNER_ORDER } from '#tests/support/product/every-route.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const PATH = '/api/partner/orders'

describe.each(['sqlite', 'postgres'] as const)('a partner’s program (%s)', engine => {
  let environment: TestEnvironment
  let product: Product
  let all: { readonly partner: string; readonly key: string }
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    product = await startProduct({ env: { ...environment.env, CARD_KEY_SECRET } })
    all = await partnerFor(PARTNER_SCOPES)
  })
  afterAll(async () => {
    await product?.kill()
    await environment?.close()
  })

  function partnerFor(scopes: readonly PartnerScope[]) {
    const { mac } = createCardKeys(CARD_KEY_SECRET)
    const asked = { name: 'Shop', contact: 'shop@example.org', scopes }
    return environment.database.db.transaction(trx => addPartner(trx, asked, { mac, now: Date.now() }))
  }

  let presses = 0
  const create = (key: string, body: object = PARTNER_ORDER, headers: object = {}) =>
    post(product.url + PATH, body, {
      Authorization: `Bearer ${key}`,
      'Idempotency-Key': `an order of this test ${presses++}`.replaceAll(' ', '-'),
      ...headers,
    })
  const read = (key: string, id: string, headers: object = {}) =>
    call(`${product.url}${PATH}/${id}`, { headers: { Authorization: `Bearer ${key}`, ...headers } })
  const sessionIn = (answer: Answer) => new URL(String(answer.json().url)).pathname.slice('/c/pay/'.length)

  it('opens a payment, follows it until it is paid, and never gets a link', async () => {
    const made = await create(all.key)
    expect(made.json()).toEqual({
      id: expect.stringMatching(/^\w{26}$/),
      state: 'open',
      amount: 5000,
      currency: 'EUR',
      reference: 'cart 7',
      url: expect.stringContaining('/c/pay/'),
    })
    expect(made.headers['cache-control']).toContain('no-store')
    const id = String(made.json().id)
    await pay(product, sessionIn(made), { email: 'buyer@example.org' })
    // Whoever opened the payment knows its session: it gives no links, at once or later.
    expect(outcomeOf(await askForCard(product, sessionIn(made)))).toBe('410 links-by-mail')
    const told = await read(all.key, id)
    expect(told.json()).toEqual({ id, state: 'paid', amount: 5000, currency: 'EUR', reference: 'cart 7' })
    expect(Object.keys(told.headers)).not.toContain('access-control-allow-origin')
    const mails = async () => (await environment.mails()).filter(({ to }) => to === 'buyer@example.org')
    await environment.noWorkLeft()
    expect(await mails()).toHaveLength(1)
  })

  it('gets the same order for the same key, and a refusal for another body', async () => {
    const same = { 'Idempotency-Key': 'the-same-order-again' }
    const first = await create(all.key, PARTNER_ORDER, same)
    expect((await create(all.key, PARTNER_ORDER, same)).text).toBe(first.text)
    const other = await create(all.key, { ...PARTNER_ORDER, reference: 'cart 8' }, same)
    expect(outcomeOf(other)).toBe('422 invalid-fields')
    expect(other.json().fields).toEqual([{ path: 'Idempotency-Key', rule: 'used-otherwise' }])
  })

  it('is told of a field that there is not, and nothing is made: it meant another order', async () => {
    const refused = await create(all.key, { ...PARTNER_ORDER, cards: 500, fallback_organization: 'msf' })
    expect(outcomeOf(refused)).toBe('422 invalid-fields')
    expect(refused.json().fields).toEqual([{ path: '', rule: 'unknown-field' }])
  })

  it('is told what its key lacks', async () => {
    const reader = await partnerFor(['orders:read'])
    const maker = await partnerFor(['orders:create'])
    const refused = await create(reader.key)
    expect(outcomeOf(refused)).toBe('403 scope-missing')
    expect(refused.headers['www-authenticate']).toBe(
      'Bearer realm="partners", error="insufficient_scope", scope="orders:create"',
    )
    const made = await create(maker.key)
    expect(made.status).toBe(200)
    expect(outcomeOf(await read(maker.key, String(made.json().id)))).toBe('403 scope-missing')
    // The order is another partner's.
    expect(outcomeOf(await read(reader.key, String(made.json().id)))).toBe('404 payment-not-found')
  })

  it('comes with a key, and one that is not revoked', async () => {
    const none = await call(`${product.url}${PATH}/1`)
    expect([outcomeOf(none), none.headers['www-authenticate']]).toEqual([
      '401 partner-key-missing',
      'Bearer realm="partners"',
    ])
    expect(outcomeOf(await create('x'))).toBe('401 partner-key-unknown')
    const ended = await partnerFor(PARTNER_SCOPES)
    expect((await create(ended.key)).status).toBe(200)
    await environment.database.db.transaction(trx => revokePartner(trx, ended.partner, Date.now()))
    const refused = await create(ended.key)
    expect([outcomeOf(refused), refused.headers['www-authenticate']]).toEqual([
      '401 partner-key-unknown',
      'Bearer realm="partners", error="invalid_token"',
    ])
  })

  it('says which order it is, so that none is made twice', async () => {
    const headers = { Authorization: `Bearer ${all.key}` }
    expect(outcomeOf(await post(product.url + PATH, PARTNER_ORDER, headers))).toBe(
      '400 idempotency-key-missing',
    )
    expect(outcomeOf(await create(all.key, PARTNER_ORDER, { 'Idempotency-Key': 'short' }))).toBe(
      '422 invalid-fields',
    )
  })

  it.each([
    { Origin: 'https://elsewhere.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ])('is no page of a browser: %j', async headers => {
    const made = await create(all.key)
    expect(outcomeOf(await create(all.key, PARTNER_ORDER, headers))).toBe('403 foreign-origin')
    expect(outcomeOf(await read(all.key, String(made.json().id), headers))).toBe('403 foreign-origin')
    const own = { ...headers, Origin: product.url }
    expect(outcomeOf(await create(all.key, PARTNER_ORDER, own))).toBe('403 foreign-origin')
  })

  it('is answered to no preflight', async () => {
    const asked = await call(product.url + PATH, {
      method: 'OPTIONS',
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(asked.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each([
    [{ amount: 4_999 }, '422 price-not-listed'],
    [{ package: 'own', amount: 3_700 }, '200'],
    [{ theme: 'Nobody!' }, '422 invalid-fields'],
    [{ sender_name: ' ' }, '422 invalid-fields'],
    [{ sender_name: 'x'.repeat(81) }, '422 invalid-fields'],
    [{ sender_name: 'Aina' }, '200'],
    [{ reference: 'a'.repeat(65) }, '422 invalid-fields'],
    [{ reference: 'two\nlines' }, '422 invalid-fields'],
    [{ message: 'See www.example.org' }, '422 invalid-fields'],
    [{ terms_version: '1' }, '422 invalid-fields'],
    [{ fulfilment_consent: false }, '422 invalid-fields'],
    [{ fallback_organisation: 'nobody' }, '422 ngo-not-listed'],
    [{ fallback_organisation: 'ngo-msf' }, '200'],
    [{ language: 'de' }, '422 invalid-fields'],
  ])('is answered to %j: %s', async (change, outcome) => {
    expect(outcomeOf(await create(all.key, { ...PARTNER_ORDER, ...change }))).toBe(outcome)
  })
})

describe('a partner’s limit', () => {
  it('is its own: another partner behind the same address goes on', async () => {
    const environment = await openTestEnvironment('sqlite')
    const product = await startProduct({
      env: { ...environment.env, CARD_KEY_SECRET, RATE_LIMITS: 'on', LIMITS: 'partner-read=3' },
    })
    try {
      const { mac } = createCardKeys(CARD_KEY_SECRET)
      const asked = { name: 'Shop', contact: 'shop@example.org', scopes: PARTNER_SCOPES }
      const [one, other] = await environment.database.db.transaction(async trx => [
        await addPartner(trx, asked, { mac, now: Date.now() }),
        await addPartner(trx, asked, { mac, now: Date.now() }),
      ])
      const ask = async (key: string) =>
        outcomeOf(await call(`${product.url}${PATH}/1`, { headers: { Authorization: `Bearer ${key}` } }))
      for (let n = 0; n < 3; n++) expect(await ask(one!.key)).toBe('404 payment-not-found')
      expect(await ask(one!.key)).toBe('429 too-many-requests')
      expect(await ask(other!.key)).toBe('404 payment-not-found')
    } finally {
      await product.kill()
      await environment.close()
    }
  })
})
