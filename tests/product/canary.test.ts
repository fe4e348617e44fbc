import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printedCheckWord } from '#domain/card/check-word.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import {
  askForCard,
  type BoughtCard,
  buyCard,
  cardApi,
  GATEWAY,
  openPayment,
  PURCHASE,
  pay,
  SEND_EMAIL,
  SUCCESS,
  selectionOf,
} from '#tests/support/product/buy.ts'
import { call, post } from '#tests/support/product/call.ts'
import { postEndpoints } from '#tests/support/product/endpoints.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { deliver, sessionEvent, signed, webhookSecretOf } from '#tests/support/product/provider-events.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const EMAIL = 'canary.bird@mine.example.org'
const NAME = 'Canary Bird the Sender'
const MESSAGE = 'Canary words for somebody dear'
const DECLINED = '4000 0000 0000 0002'

describe.each(['sqlite', 'postgres'] as const)('keys, addresses and session ids (%s)', engine => {
  let environment: TestEnvironment
  let product: Product
  let card: BoughtCard
  let openSession: string
  let withdrawalKey: string
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    product = await startProduct({ env: environment.env })
    ;[card, openSession, withdrawalKey] = await everyFlow(product, environment)
    await environment.noWorkLeft()
  })
  afterAll(async () => {
    await product?.kill()
    await environment?.close()
  })

  it('stand in no line of the log', () => {
    expect(product.output()).toContain('"event":"mail-sent"')
    expect(secretsIn(product.output())).toEqual([])
  })

  it('stand in no table, but for the address of the card’s mails', async () => {
    const dump = await environment.dump()
    const allowed = dump.split('\n').map(line => {
      const [table = '', row = '{}'] = line.split(/ (.*)/)
      const columns = JSON.parse(row) as Record<string, unknown>
      if (table === 'cards') delete columns.email
      if (table === 'gift_messages') delete columns.words
      if (table === 'batch_rows') delete columns.words
      if (table === 'cards' || table === 'orders') delete columns.sender_name
      return `${table} ${JSON.stringify(columns)}`
    })
    expect(dump).toContain(EMAIL)
    expect(allowed.filter(line => secretsIn(line).length > 0)).toEqual([])
  })

  it('stand in no file beside the tables and the local folder', () => {
    const files = readdirSync(environment.dataDir, { withFileTypes: true }).filter(
      entry => entry.isFile() && !/^database\.sqlite/.test(entry.name),
    )
    expect(files.map(({ name }) => name)).toContain('content-snapshot.json')
    for (const { name } of files) {
      expect(secretsIn(readFileSync(join(environment.dataDir, name), 'latin1')), name).toEqual([])
    }
  })

  it('stand in no header of a mail, but for the address it goes to', async () => {
    const mails = (await environment.mails()).filter(({ to }) => to === EMAIL)
    expect(mails).toHaveLength(2)
    for (const { head, text } of mails) {
      expect(text).toContain(card.privateKey)
      expect(text).toContain(printedCheckWord(checkWordOf(card.privateKey)))
      expect(secretsIn(head.replace(/^To: .*$/m, ''))).toEqual([])
      expect(head).not.toContain(NAME)
    }
  })

  /** Which of the canaries a text holds, by name. */
  function secretsIn(text: string): string[] {
    const canaries = {
      'private key': card.privateKey,
      'public key': card.publicKey,
      'session id': card.sessionId,
      'open session id': openSession,
      'withdrawal key': withdrawalKey,
      'check word': checkWordOf(card.privateKey),
      'printed check word': printedCheckWord(checkWordOf(card.privateKey)),
      address: EMAIL,
      'encoded address': encodeURIComponent(EMAIL),
      name: NAME,
      message: MESSAGE,
    }
    const lower = text.toLowerCase()
    return Object.entries(canaries).flatMap(([name, canary]) =>
      lower.includes(canary.toLowerCase()) ? [name] : [],
    )
  }
})

/** Everything that can be done with a card, and every way of being refused that has the canaries in hand. */
async function everyFlow(
  product: Product,
  environment: TestEnvironment,
): Promise<[BoughtCard, string, string]> {
  const { url } = product
  const purchase = { ...PURCHASE, sender_name: NAME, message: MESSAGE }
  const sessionId = await openPayment(product, purchase)
  await askForCard(product, sessionId)
  await pay(product, sessionId, { email: EMAIL, cardNumber: DECLINED })
  await askForCard(product, sessionId)
  await pay(product, sessionId, { email: EMAIL })
  const { id, key, publicKey } = (await askForCard(product, sessionId)).json()
  const card = {
    cardId: String(id),
    privateKey: String(key),
    publicKey: String(publicKey),
    email: EMAIL,
    sessionId,
  }
  await environment.noWorkLeft()
  const endpoints = postEndpoints(card)
  const sendEmail = endpoints.find(({ name }) => name === 'send-email')!
  expect(await post(url + SEND_EMAIL, sendEmail.body)).toMatchObject({ status: 200 })
  await environment.noWorkLeft()

  const keys = [card.privateKey, card.publicKey, card.privateKey.toUpperCase(), `${card.privateKey}x`]
  for (const each of keys) {
    for (const path of [
      `${cardApi(each)}/full`,
      `${cardApi(each)}/preview`,
      `${cardApi(each)}/${each}/${each}`,
      `/gift-card/${each}`,
      `/gift-card/${each}/introduction-1/final`,
      `/gift-card/${each}/select-ngo/preview`,
      `/gift-card/${each}/nowhere/${each}`,
      `/gift-card-volunteering/${each}/introduction/final`,
      `/withdraw/${card.cardId}/${each}`,
      `/withdraw/${each}`,
      `/many/${card.cardId}/${each}`,
      `/intro/no-refresh/checkout?privateKey=${each}&session_id=${sessionId}&email=${encodeURIComponent(EMAIL)}`,
      `/${each}`,
      `/api/${each}`,
      `/c/pay/${sessionId}?key=${each}`,
    ]) {
      await call(url + path, {
        headers: { Referer: `${url}/gift-card/${each}`, Cookie: `given=${each}; lang=${each}` },
      })
    }
  }
  const withdrawal = await withdraw(url, environment)
  await post(url + cardApi(card.privateKey), { selected_ngos: [{ ngoSelected: EMAIL, creditSelected: 1 }] })
  await post(url + cardApi(card.publicKey), selectionOf({ 'ngo-msf': 50 }))
  await post(url + cardApi(card.privateKey), selectionOf({ 'ngo-msf': 50 }))
  await post(url + cardApi(card.privateKey), selectionOf({ 'ngo-msf': 49 }))
  const everything = { stripe_session_id: [sessionId], sender_name: [EMAIL], key: card.privateKey }
  for (const { path } of endpoints) {
    await post(url + path, everything)
    await post(url + path, everything, { Origin: `https://${card.privateKey}.example` })
    await post(url + path, everything, { 'Content-Type': EMAIL })
    await post(url + path, { ...everything, filler: card.privateKey.repeat(3_000) })
    await call(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{${sessionId}`,
    })
  }
  await post(url + GATEWAY, { ...purchase, nom_producte: sessionId })
  await post(url + SUCCESS, { stripe_session_id: `${sessionId}x` })
  await post(url + GATEWAY, purchase, { 'Idempotency-Key': card.privateKey })
  await post(url + GATEWAY, { ...purchase, currency: 'USD' }, { 'Idempotency-Key': card.privateKey })

  for (const word of [checkWordOf(card.privateKey), `${checkWordOf(card.privateKey)}x`, card.privateKey])
    for (const headers of [{}, { Origin: `https://${card.privateKey}.example` }])
      await call(`${url}/is-this-real`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ word }).toString(),
      })

  const secret = webhookSecretOf(environment.dataDir)
  const event = sessionEvent('checkout.session.completed', sessionId)
  await deliver(product, event, signed(event, secret))
  await deliver(product, event, signed(event, 'whsec_wrong'))
  await deliver(product, `${event}${EMAIL}`, signed(event, secret))
  const foreign = sessionEvent('checkout.session.completed', `${sessionId}x`)
  await deliver(product, foreign, signed(foreign, secret))
  // One more sale, so that there is a card that nobody has used, and a payment that nobody makes.
  await buyCard(product)
  return [card, await openPayment(product, purchase), withdrawal]
}

/**
 * What the form without a link only reads back, a page behind a wrong key, and the page behind the right one.
 * @returns the key that allows the withdrawal
 */
async function withdraw(url: string, environment: TestEnvironment): Promise<string> {
  const mail = (await environment.mails()).find(({ to }) => to === EMAIL)
  const [, path = '', key = ''] = /(\/withdraw\/[\w-]+\/)([a-z2-7]+)/.exec(mail?.text ?? '') ?? []
  const body = new URLSearchParams({ name: NAME, email: EMAIL, order: key }).toString()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const readBack = await call(`${url}/withdraw`, { method: 'POST', headers, body })
  expect(readBack.status).toBe(200)
  expect(readBack.text).toContain(EMAIL)
  expect((await call(url + path + 'a'.repeat(32), { method: 'POST', headers, body })).status).toBe(404)
  const shown = await call(`${url}${path}${key}`)
  expect(shown.status).toBe(200)
  expect(shown.headers['cache-control']).toContain('no-store')
  return key
}
