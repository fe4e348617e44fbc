import { expect, it } from 'vitest'
import { FIRST_KEY_VERSION } from '#domain/card/shown-links.ts'
import { LIMITS } from '#domain/limits/limits.ts'
import { getT } from '#i18n/index.ts'
import { certificatePath, sendingPath, unwantedPath, withdrawalPath } from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import type { LimitName } from '#server/platform/limits.ts'
import { buyCard, buyCards } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { postEndpoints } from '#tests/support/product/endpoints.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { expectRefusal } from '#tests/support/product/refusal.ts'

const { product, environment } = await openProduct({
  RATE_LIMITS: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
  CARD_KEY_SECRET,
})
const card = await buyCard(product)

it('never stop twenty buyers behind one address', async () => {
  await expect(buyCards(product, 20)).resolves.toHaveLength(20)
})

const WRONG_KEY = 'abcdefghijklmnopqrstuvwxyz234567'
const post = (name: string) => {
  const { path, body } = postEndpoints(card).find(each => each.name === name)!
  return { method: 'POST', path, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}
/** By the limit that they run into; each caller has an address of its own. */
const CALLS: Readonly<
  Record<
    Exclude<
      LimitName,
      | 'waiting'
      | 'lost-link'
      | 'check-word'
      | 'withdrawal'
      | 'wish'
      | 'certificate'
      | 'many-cards'
      | 'received'
      | 'send-for-me'
      | 'partner-order'
      | 'partner-read'
      | 'not-for-me'
      | 'sending-read'
      | 'operator-login'
      | 'operator-call'
    >,
    () => { path: string; method?: string; body?: string; headers?: object }
  >
> = {
  gateway: () => post('gateway'),
  success: () => post('success'),
  'send-email': () => post('send-email'),
  'free-claim': () => post('free-get'),
  'analytics-session': () => post('new-session'),
  'analytics-event': () => post('new-event'),
  newsletter: () => post('newsletter'),
  redeem: () => post('giftcard'),
  print: () => ({
    method: 'POST',
    path: '/api/gift-card/print',
    body: new URLSearchParams({ key: card.privateKey }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }),
  'public-read': () => ({ path: '/api/public/figures' }),
  'ledger-proof': () => ({ path: '/ledger/proof/0' }),
  'card-read': () => ({ path: `/api/ajuda/giftcard/${card.publicKey}/preview` }),
  'card-miss': () => ({ path: `/api/ajuda/giftcard/${WRONG_KEY}/full` }),
}

it.each(Object.entries(CALLS))('%s: says when to come back, to that caller alone', async (name, callOf) => {
  const { uses, perMs } = LIMITS[name as LimitName]
  const { path, method, body, headers } = callOf()
  const callFrom = (address: string) =>
    call(product.url + path, {
      ...(method && { method }),
      ...(body && { body }),
      headers: { ...headers, 'X-Forwarded-For': address },
    })
  const address = `192.0.2.${1 + Object.keys(CALLS).indexOf(name)}`
  const startedAt = performance.now()
  let granted = 0
  let answer = await callFrom(address)
  // The card's own five mails a day are spent long before its caller is stopped; that is another answer.
  while (!isStopped(answer.headers['retry-after'])) {
    granted++
    expect(granted).toBeLessThan(uses * 2)
    answer = await callFrom(address)
  }
  const refilled = ((performance.now() - startedAt) / perMs) * uses
  expect(granted).toBeGreaterThanOrEqual(uses)
  expect(granted).toBeLessThanOrEqual(uses + Math.ceil(refilled))
  expectRefusal(answer, [429, 'too-many-requests'], name)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(Math.ceil(perMs / 1000 / uses))
  expect((await callFrom('192.0.2.200')).headers['retry-after'] ?? '99999').not.toBe(
    answer.headers['retry-after'],
  )
})

it('card-miss: counts wrong keys on a recipient’s page too, which stays the same page', async () => {
  const visit = () =>
    call(`${product.url}/gift-card/${WRONG_KEY}/doesnt-exist/final`, {
      headers: { 'X-Forwarded-For': '192.0.2.50' },
    })
  const first = await visit()
  let answer = first
  for (let n = 1; n < LIMITS['card-miss'].uses * 2 && answer.status === 404; n++) answer = await visit()
  expect([first.status, answer.status]).toEqual([404, 429])
  expect(answer.text).toBe(first.text)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
})

/** A page's form, sent by one visitor until it is refused. */
async function refusedForm(path: string, address: string, fields: object) {
  const send = () =>
    call(product.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address },
      body: new URLSearchParams({ ...fields }).toString(),
    })
  const first = await send()
  let answer = first
  for (let n = 1; n < 1_300 && answer.status !== 429; n++) answer = await send()
  expect([answer.status, path]).toEqual([429, path])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.text).toContain(getT('en')('problem-too-many-requests'))
  return { first, text: answer.text }
}

it('withdrawal: a statement that was sent too often comes back as it was written, and can be confirmed again', async () => {
  const written = { name: 'Aina Puig', email: 'aina@example.org', order: 'of last week' }
  const { first, text } = await refusedForm('/withdraw?lang=en', '192.0.2.51', written)
  expect(first.status).toBe(200)
  expect(text).toContain('data-step="form"')
  for (const value of Object.values(written)) expect(text).toContain(`value="${value}"`)
  const confirmed = await refusedForm('/withdraw?lang=en', '192.0.2.51', { ...written, step: 'confirm' })
  expect(confirmed.text).toContain('data-step="review"')
  for (const value of Object.values(written)) expect(confirmed.text).toContain(`value="${value}"`)
})

it('lost-link: an address that was sent too often comes back, and nothing is sent to it', async () => {
  // An address that is none: each press is the same.
  const { text } = await refusedForm('/lost-link?lang=en', '192.0.2.56', { email: 'aina at home' })
  expect(text).toContain('value="aina at home"')
  expect(text).not.toContain(getT('en')('lost-link-wrong'))
  expect(text).not.toMatch(/id="email"[^>]*aria-invalid/)
})

it('success: a payment that was asked for too often can be asked for again', async () => {
  const { text } = await refusedForm('/own-money-thanks?lang=en', '192.0.2.57', { session: 'cs_nothing' })
  expect(text).toContain('value="cs_nothing"')
  expect(text).toContain('data-action="look"')
})

it.each([
  ['certificate', certificatePath, { name: 'Aina Puig', document: 'none', address: 'Carrer Major 1' }],
  ['withdrawal', withdrawalPath, { name: 'Aina Puig', email: 'nobody', which: 'chosen', cards: '2' }],
] as const)(
  '%s: what was written behind a link and sent too often is sent again by its button',
  async (limit, pathOf, written) => {
    const { cardId } = await buyCard(product)
    const { order_id } = await environment.database.db.read(db =>
      db.selectFrom('cards').select('order_id').where('id', '=', cardId).executeTakeFirstOrThrow(),
    )
    const path = pathOf(
      order_id!,
      createCardKeys(CARD_KEY_SECRET).withdrawalKey(order_id!, FIRST_KEY_VERSION),
    )
    const address = limit === 'certificate' ? '192.0.2.58' : '192.0.2.59'
    const { text } = await refusedForm(`${path}?lang=en`, address, written)
    const [form = ''] = /<form[^>]*data-retry.*?<\/form>/s.exec(text) ?? []
    for (const [name, value] of Object.entries(written))
      expect(form).toContain(`<input type="hidden" name="${name}" value="${value}">`)
    expect(text).not.toMatch(/<a [^>]*data-action="retry"/)
  },
)

it('wish: a form that was sent too often comes back with what was written, and keeps nothing', async () => {
  // The other one is used by now.
  const [unused] = await buyCards(product, 1)
  const send = () =>
    call(`${product.url}/gift-card/${unused!.privateKey}/wish/final`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '192.0.2.55' },
      body: new URLSearchParams({ name: 'Some organization', hint: '' }).toString(),
    })
  let answer = await send()
  expect(answer.status).toBe(200)
  for (let n = 1; n < LIMITS.wish.uses * 2 && answer.status === 200; n++) answer = await send()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.text).toContain('value="Some organization"')
})

it('gateway: many cards that come too often come back as they were written, before the payment too', async () => {
  const form = (step: string) => {
    const fields = {
      list: 'Aina\nBiel',
      amount: '25',
      message: 'Felicitats',
      currency: 'EUR',
      support: '0',
      step,
    }
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return new Response(body)
  }
  const send = async (step: string) => {
    const sent = form(step)
    return call(`${product.url}/many-cards?lang=en`, {
      method: 'POST',
      headers: { 'Content-Type': sent.headers.get('Content-Type')!, 'X-Forwarded-For': '192.0.2.56' },
      body: await sent.text(),
    })
  }
  let answer = await send('check')
  expect(answer.status).toBe(200)
  for (let n = 1; n < LIMITS.gateway.uses * 2 && answer.status === 200; n++) answer = await send('check')
  expect(answer.status).toBe(429)
  expect(answer.text).toContain('data-step="review"')
  expect(answer.text).toContain(getT('en')('problem-too-many-requests'))
  const changed = await send('change')
  expect(changed.status).toBe(429)
  expect(changed.text).toMatch(/Aina\s+Biel/)
  expect(changed.text).toContain('Felicitats')
})

it('check-word: right words are counted too, and a form that was sent too often is not looked up', async () => {
  const word = checkWordOf(card.privateKey)
  const send = () =>
    call(`${product.url}/is-this-real?lang=en`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '192.0.2.52' },
      body: new URLSearchParams({ word }).toString(),
    })
  const { uses, perMs } = LIMITS['check-word']
  const startedAt = performance.now()
  let granted = 0
  let answer = await send()
  while (answer.status === 200 && granted < uses * 2) {
    granted++
    answer = await send()
  }
  expect(granted).toBeGreaterThanOrEqual(uses)
  expect(granted).toBeLessThanOrEqual(uses + Math.ceil(((performance.now() - startedAt) / perMs) * uses))
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.text).not.toContain('data-answer')
  expect(answer.text).toContain(`value="${word}"`)
})

it('send-for-me: a plan that comes too often is refused in words and lost in nothing; reading goes on', async () => {
  const { cardId } = await buyCard(product)
  const key = createCardKeys(CARD_KEY_SECRET).sendingKey(cardId, FIRST_KEY_VERSION)
  const url = `${product.url}${sendingPath(cardId, key)}?lang=en`
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const plan = (pressed: Readonly<Record<string, string>> = { act: 'plan' }) =>
    call(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...from('192.0.2.53') },
      // No address: refused before anything is kept, so that each press is the same.
      body: new URLSearchParams({
        ...pressed,
        address: 'nora at home',
        day: '',
        zone: 'Europe/Madrid',
      }).toString(),
    })
  let answer = await plan()
  expect(answer.status).toBe(422)
  for (let n = 1; n < LIMITS['send-for-me'].uses * 2 && answer.status === 422; n++) answer = await plan()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(answer.text).toContain(getT('en')('problem-too-many-requests'))
  expect(answer.text).toContain('nora at home')
  // The form below is sent again by its own button: a link to the page would lose what is in it.
  expect(answer.text).not.toContain('data-action="retry"')
  expect(answer.text).toContain('Tell us who gets it')
  // Enter in a field presses a button that says nothing, and a language's button no `act`.
  for (const pressed of [{}, { step: 'again' }]) {
    const { status, text } = await plan(pressed)
    expect([status, text.includes('nora at home')]).toEqual([429, true])
  }
  // The same visitor reads the page, and whoever wants no such mails has a limit of their own.
  expect((await call(url, { headers: from('192.0.2.53') })).status).toBe(200)
  const { status } = await call(`${product.url}${unwantedPath('0'.repeat(64), WRONG_KEY)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...from('192.0.2.53') },
    body: '',
  })
  expect(status).toBe(404)
})

it('not-for-me: a mail program presses in its reader’s place, and is led nowhere', async () => {
  const mailbox = 'f'.repeat(64)
  const key = createCardKeys(CARD_KEY_SECRET).unwantedKey(`hmac:${mailbox}`)
  const url = product.url + unwantedPath(mailbox, key)
  const pressed = await call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': '192.0.2.54' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect(pressed.status).toBe(204)
  const page = await call(url, { headers: { 'X-Forwarded-For': '192.0.2.54' } })
  expect(page.text).toContain('data-state="off"')
})

const HOUR_SECONDS = 3_600
const isStopped = (retryAfter: string | undefined): boolean =>
  retryAfter !== undefined && Number(retryAfter) < HOUR_SECONDS
