import { describe, expect, it } from 'vitest'
import { buyCard, cardApi, GATEWAY, PURCHASE, SEND_EMAIL, SUCCESS } from '#tests/support/product/buy.ts'
import { type CallOptions, call, post } from '#tests/support/product/call.ts'
import { type PostEndpoint, postEndpoints } from '#tests/support/product/endpoints.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { expectNoEcho, expectRefusal, MARK, refusedFields } from '#tests/support/product/refusal.ts'

const { environment, product } = await openProduct()
const card = await buyCard(product)
const endpoints = postEndpoints(card)
const before = await environment.dump()

const JSON_TYPE = { 'Content-Type': 'application/json' }
/** Sends an endpoint's own good body, with these changes. */
const send = (endpoint: PostEndpoint, options: CallOptions) =>
  call(product.url + endpoint.path, { method: 'POST', body: JSON.stringify(endpoint.body), ...options })
const unchanged = async () => expect(await environment.dump()).toBe(before)

describe('every endpoint that takes JSON', () => {
  it('refuses what does not say that it is JSON', async () => {
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      '',
      MARK,
    ]
    for (const endpoint of endpoints) {
      for (const type of [...types, 'application/jsonp', 'application/json-patch+json']) {
        const answer = await send(endpoint, { headers: { 'Content-Type': type } })
        expectRefusal(answer, [415, 'unsupported-content-type'], `${endpoint.name} ${type}`)
      }
      const answer = await send(endpoint, {})
      expectRefusal(answer, [415, 'unsupported-content-type'], `${endpoint.name} without a type`)
    }
    await unchanged()
  })

  it('refuses other sites, and what browsers say comes from other sites', async () => {
    const own = `http://localhost:${product.port}`
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: '' },
      { Origin: MARK },
      { Origin: `${own}.evil.example` },
      { Origin: `http://localhost:${product.port + 1}` },
      { Origin: `https://localhost:${product.port}` },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: own },
      // The site's own address is configured: the Host header has no say in it.
      { Host: 'evil.example', Origin: 'http://evil.example' },
    ]
    for (const endpoint of endpoints) {
      for (const headers of foreign) {
        const answer = await send(endpoint, { headers: { ...JSON_TYPE, ...headers } })
        expectRefusal(answer, [403, 'foreign-origin'], `${endpoint.name} ${JSON.stringify(headers)}`)
      }
    }
    await unchanged()
  })

  it('takes its own site, and programs that name none', async () => {
    const own = { Origin: `http://localhost:${product.port}`, 'Sec-Fetch-Site': 'same-origin' }
    for (const endpoint of endpoints) {
      for (const headers of [own, {}, { 'Content-Type': 'Application/JSON; charset=utf-8' }]) {
        const answer = await send(endpoint, { headers: { ...JSON_TYPE, ...headers }, body: '{}' })
        expectRefusal(answer, [422, 'invalid-fields'], `${endpoint.name} ${JSON.stringify(headers)}`)
      }
    }
    await unchanged()
  })

  it('refuses a body of more than 64 kB, with or without a length', async () => {
    for (const endpoint of endpoints) {
      for (const bytes of [64 * 1024 + 1, 1_000_000]) {
        const body = JSON.stringify({ ...endpoint.body, filler: MARK.padEnd(bytes, 'x') })
        for (const chunked of [false, true]) {
          const answer = await send(endpoint, { headers: JSON_TYPE, body, chunked })
          expectRefusal(answer, [413, 'body-too-large'], `${endpoint.name} ${bytes} ${chunked}`)
        }
      }
    }
    await unchanged()
  })

  it('refuses what is no JSON', async () => {
    const bodies = [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      `{"a":${MARK}}`,
      '{"a":1}}',
      '\u0000',
      '['.repeat(10_000),
      `${MARK}=1`,
    ]
    for (const endpoint of endpoints) {
      for (const body of bodies) {
        const answer = await send(endpoint, { headers: JSON_TYPE, body })
        expectRefusal(answer, [422, 'invalid-fields'], `${endpoint.name} ${body.slice(0, 20)}`)
        expect(refusedFields(answer), `${endpoint.name} ${body.slice(0, 20)}`).toEqual([''])
      }
    }
    await unchanged()
  })

  it('refuses every other method and says which it takes', async () => {
    for (const endpoint of endpoints) {
      for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await call(product.url + endpoint.path, { method, headers: JSON_TYPE })
        expect([answer.status, answer.headers.allow], `${method} ${endpoint.name}`).toEqual([405, 'POST'])
        if (method !== 'HEAD')
          expectRefusal(answer, [405, 'method-not-allowed'], `${method} ${endpoint.name}`)
      }
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const options = { method, headers: JSON_TYPE, body: '{}' }
      const answer = await call(`${product.url}${cardApi(card.privateKey)}/full`, options)
      expectRefusal(answer, [405, 'method-not-allowed'], `${method} of a card`)
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
    await unchanged()
  })

  it('answers problem+json where there is no endpoint', async () => {
    for (const path of [
      '/api/',
      '/api/unknown',
      `/api/${MARK}`,
      `/api/ajuda/${MARK}`,
      '/api/ajuda/giftcard',
      '/api/stripe',
    ]) {
      for (const method of ['GET', 'POST']) {
        const answer = await call(product.url + path, { method, headers: JSON_TYPE })
        expectRefusal(answer, [404, 'not-found'], `${method} ${path}`)
      }
    }
  })
})

describe('refused fields are named in the words of the wire', () => {
  type Row = readonly [path: () => string, body: unknown, fields: readonly string[]]
  const gateway = (changes: object, ...fields: string[]): Row => [
    () => GATEWAY,
    { ...PURCHASE, ...changes },
    fields,
  ]
  const redeem = (body: unknown, ...fields: string[]): Row => [() => cardApi(card.privateKey), body, fields]
  const ngo = (ngoSelected: unknown, creditSelected: unknown) => ({
    selected_ngos: [{ ngoSelected, creditSelected }],
  })
  const mail = (changes: object, ...fields: string[]): Row => [
    () => SEND_EMAIL,
    {
      giftcard_public_key: 'a',
      giftcard_private_key: 'b',
      giftcard_id: 'c',
      email: 'd@example.org',
      ...changes,
    },
    fields,
  ]
  const rows: readonly Row[] = [
    [() => GATEWAY, { [MARK]: MARK }, Object.keys(PURCHASE)],
    gateway({ giftcard_theme: MARK }, 'giftcard_theme'),
    gateway({ nom_producte: 5 }, 'nom_producte'),
    gateway({ nom_producte: MARK.repeat(10) }, 'nom_producte'),
    gateway({ sender_name: '' }, 'sender_name'),
    gateway({ sender_name: { name: MARK } }, 'sender_name'),
    gateway({ sender_name: 'n'.repeat(3_000) }, 'sender_name'),
    gateway({ sender_name: 'n'.repeat(81) }, 'sender_name'),
    gateway({ amount: '5000' }, 'amount'),
    gateway({ amount: 12.5 }, 'amount'),
    gateway({ amount: -5000 }, 'amount'),
    gateway({ amount: 1e21 }, 'amount'),
    gateway({ support_amount_cents: null }, 'support_amount_cents'),
    gateway({ currency: 'JPY' }, 'currency'),
    gateway({ terms_version: MARK }, 'terms_version'),
    gateway({ fulfilment_consent: MARK }, 'fulfilment_consent'),
    gateway({ fulfilment_consent: false }, 'fulfilment_consent'),
    gateway({ currency: 'eur', amount: [] }, 'amount', 'currency'),
    [() => SUCCESS, { session: MARK }, ['stripe_session_id']],
    [() => SUCCESS, { stripe_session_id: 7 }, ['stripe_session_id']],
    [() => SUCCESS, { stripe_session_id: MARK.repeat(50) }, ['stripe_session_id']],
    mail({ giftcard_public_key: 1 }, 'giftcard_public_key'),
    mail({ giftcard_private_key: '' }, 'giftcard_private_key'),
    mail({ giftcard_id: undefined }, 'giftcard_id'),
    mail({ email: MARK.repeat(50) }, 'email'),
    redeem({ [MARK]: MARK }, 'selected_ngos'),
    redeem({ selected_ngos: [] }, 'selected_ngos'),
    redeem({ selected_ngos: MARK }, 'selected_ngos'),
    redeem({ selected_ngos: [{}] }, 'selected_ngos.0.ngoSelected', 'selected_ngos.0.creditSelected'),
    redeem(ngo('ngo-msf', 0), 'selected_ngos.0.creditSelected'),
    redeem(ngo('ngo-msf', 1.5), 'selected_ngos.0.creditSelected'),
    redeem(ngo('ngo-msf', '20'), 'selected_ngos.0.creditSelected'),
    redeem(ngo(MARK.repeat(20), 1), 'selected_ngos.0.ngoSelected'),
    redeem(ngo('ngo-msf', 51), 'selected_ngos'),
    redeem(
      { selected_ngos: [...ngo('ngo-msf', 26).selected_ngos, ...ngo('ngo-msf', 25).selected_ngos] },
      'selected_ngos',
    ),
  ]

  it.each(rows.map(row => ({ row, body: JSON.stringify(row[1]).slice(0, 60) })))('$body', async ({ row }) => {
    const [path, body, fields] = row
    const answer = await post(product.url + path(), body)
    expectRefusal(answer, [422, 'invalid-fields'], JSON.stringify(body))
    expect(new Set(refusedFields(answer))).toEqual(new Set(fields))
    await unchanged()
  })

  it('an organisation that is not listed, by its place in the list', async () => {
    const body = { selected_ngos: [...ngo('ngo-msf', 1).selected_ngos, ...ngo(MARK, 1).selected_ngos] }
    const answer = await post(product.url + cardApi(card.privateKey), body)
    expectRefusal(answer, [422, 'ngo-not-listed'], 'an unlisted organisation')
    expect(refusedFields(answer)).toEqual(['selected_ngos.1.ngoSelected'])
    await unchanged()
  })

  it('a key of a press that is too short to be anybody’s own', async () => {
    const answer = await post(product.url + GATEWAY, PURCHASE, { 'Idempotency-Key': MARK })
    expectRefusal(answer, [422, 'invalid-fields'], 'a short key')
    expect(refusedFields(answer)).toEqual(['Idempotency-Key'])
    await unchanged()
  })
})

describe('refused because of what they ask for', () => {
  it('prices that are in no table open no payment', async () => {
    const changes = [
      { amount: 5001 },
      { amount: 4999 },
      { amount: 0 },
      { amount: 200 },
      { support_amount_cents: 1 },
      { support_amount_cents: 100_000_000 },
      { nom_producte: 'their cars' },
      { nom_producte: '__proto__' },
      { nom_producte: 'constructor' },
      { nom_producte: MARK },
    ]
    for (const change of changes) {
      const answer = await post(product.url + GATEWAY, { ...PURCHASE, ...change })
      expectRefusal(answer, [422, 'price-not-listed'], JSON.stringify(change))
    }
    await unchanged()
  })

  it('terms that are not in force', async () => {
    const answer = await post(product.url + GATEWAY, { ...PURCHASE, terms_version: '00000000000000000000' })
    expectRefusal(answer, [409, 'terms-changed'], 'terms of nobody')
    await unchanged()
  })

  it('sessions that are nobody’s', async () => {
    for (const id of [
      MARK,
      'cs_test_a1b2c3d4e5f6g7h8',
      `cs_live_${MARK}`,
      '../v1/customers',
      card.sessionId.slice(0, -1),
      '💳',
    ]) {
      const answer = await post(product.url + SUCCESS, { stripe_session_id: id })
      expectRefusal(answer, [404, 'payment-not-found'], id)
    }
    await unchanged()
  })

  it('mails for keys that do not belong together', async () => {
    const { body } = endpoints.find(({ name }) => name === 'send-email')!
    const wrong = [
      { giftcard_id: MARK },
      { giftcard_private_key: card.publicKey },
      { giftcard_public_key: card.privateKey },
      { giftcard_private_key: MARK, giftcard_public_key: MARK },
    ]
    for (const change of wrong) {
      const answer = await post(product.url + SEND_EMAIL, { ...body, ...change })
      expectRefusal(answer, [404, 'card-not-found'], JSON.stringify(change))
    }
    await unchanged()
  })
})

it('nothing that is sent in an address or a header comes back', async () => {
  const paths = [
    `/${MARK}`,
    `/es/${MARK}/${MARK}`,
    `/gift-card/${MARK}/introduction/final`,
    `/api/ajuda/giftcard/${MARK}/full`,
    `/_astro/${MARK}.js`,
    `/c/pay/${MARK}`,
    `/_local/mail/${MARK}`,
  ]
  const headers = {
    Cookie: `lang=${MARK}`,
    'User-Agent': MARK,
    Referer: `http://x/${MARK}`,
    'X-Forwarded-For': MARK,
    'X-Forwarded-Host': MARK,
    'Accept-Language': MARK,
    Host: MARK,
  }
  for (const path of paths) {
    for (const query of ['', `?lang=${MARK}&session_id=${MARK}&privateKey=${MARK}`]) {
      const answer = await call(product.url + path + query, { headers })
      const { location = '', ...others } = answer.headers
      // Only the redirect of a card to its own screen repeats the address that was asked for.
      const repeats = path.startsWith('/gift-card/') && location.startsWith(`/gift-card/${MARK}/`)
      expectNoEcho({ ...answer, headers: repeats ? others : answer.headers }, `${path}${query} ${location}`)
    }
  }
})
