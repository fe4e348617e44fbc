import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { type HangingProxy, startHangingProxy } from '#tests/support/hanging-proxy.ts'
import {
  askForCard,
  buyCard,
  cardApi,
  GATEWAY,
  PURCHASE,
  pay,
  selectionOf,
} from '#tests/support/product/buy.ts'
import { type Answer, outcomeOf, post } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

describe.each(['sqlite', 'postgres', 'pooled'] as const)('a visitor whose answer was lost (%s)', engine => {
  let environment: TestEnvironment
  let product: Product
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    product = await startProduct({ env: environment.env })
  })
  afterAll(async () => {
    await product?.kill()
    await environment?.close()
  })

  it('hears the same success again, and that another split comes too late', async () => {
    const { cardId, privateKey } = await buyCard(product)
    const url = product.url + cardApi(privateKey)
    const body = selectionOf({ 'ngo-msf': 20, 'ngo-wfp': 13 })
    await sendAndHangUp(url, body)
    const { db } = environment.database
    const given = () =>
      db.read(reader =>
        reader.selectFrom('redemptions').select('card_id').where('card_id', '=', cardId).execute(),
      )
    await expect.poll(given, { timeout: 10_000 }).toHaveLength(1)

    const again = await post(url, body)
    expect(again.status).toBe(200)
    expect(again.json().allocations).toEqual([
      { ngoSelected: 'ngo-msf', creditSelected: 20, amount: 3030, currency: 'EUR' },
      { ngoSelected: 'ngo-wfp', creditSelected: 13, amount: 1970, currency: 'EUR' },
    ])
    const otherOrder = await post(url, selectionOf({ 'ngo-wfp': 13, 'ngo-msf': 20 }))
    expect([otherOrder.status, otherOrder.text]).toEqual([200, again.text])
    expect(outcomeOf(await post(url, selectionOf({ 'ngo-msf': 20, 'ngo-wfp': 14 })))).toBe(
      '409 card-consumed',
    )
    expect(await checkLedger(db)).toEqual([])
  })

  it('gets the same payment for the same press', async () => {
    const url = product.url + GATEWAY
    const press = { 'Idempotency-Key': 'one-press-of-the-button' }
    await sendAndHangUp(url, PURCHASE, press)
    const first = await post(url, PURCHASE, press)
    const second = await post(url, PURCHASE, press)
    expect(first.status).toBe(200)
    expect(second.text).toBe(first.text)
    const orders = await environment.database.db.read(reader =>
      reader.selectFrom('orders').select('id').where('attempt_key_digest', 'is not', null).execute(),
    )
    expect(orders).toHaveLength(1)
    const other = await post(url, { ...PURCHASE, currency: 'USD' }, press)
    expect(outcomeOf(other)).toBe('422 invalid-fields')
  })
})

/** Each purchase and each gift is decided by one of these. */
describe('a commit whose answer the database could not give any more', () => {
  let environment: TestEnvironment
  let proxy: HangingProxy
  let product: Product
  beforeAll(async () => {
    environment = await openTestEnvironment('postgres')
    proxy = await startHangingProxy(environment.env.DATABASE_URL ?? '')
    product = await startProduct({
      env: { ...environment.env, DATABASE_URL: proxy.url, OPERATOR_MAIL: 'me@gift.example' },
    })
  })
  afterAll(async () => {
    await product?.kill()
    proxy?.stop()
    await environment?.close()
  })

  const expectAskedAgain = (answer: Answer) => {
    expect(outcomeOf(answer)).toBe('503 temporarily-unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }

  it('is not taken for a gift that was not made: who asks again hears of the success, once', async () => {
    const { privateKey } = await buyCard(product)
    const url = product.url + cardApi(privateKey)
    const press = { 'Idempotency-Key': 'one-gift-of-one-recipient' }
    const body = selectionOf({ 'ngo-msf': 20, 'ngo-wfp': 13 })
    proxy.loseCommitOf('insert into "redemptions"')
    expectAskedAgain(await post(url, body, press))
    const again = await post(url, body, press)
    expect(again.status).toBe(200)
    expect(again.json()).toMatchObject({
      allocations: [
        { ngoSelected: 'ngo-msf', amount: 3030 },
        { ngoSelected: 'ngo-wfp', amount: 1970 },
      ],
      receiptKey: expect.any(String),
    })
    expect(outcomeOf(await post(url, selectionOf({ 'ngo-msf': 50 }), press))).toBe('409 card-consumed')
    expect(await checkLedger(environment.database.db)).toEqual([])
  })

  it('is not taken for a purchase that was not made: one press is one payment, and one card', async () => {
    const url = product.url + GATEWAY
    const press = { 'Idempotency-Key': 'one-press-of-one-buyer' }
    proxy.loseCommitOf('insert into "orders"')
    expectAskedAgain(await post(url, PURCHASE, press))
    const opened = await post(url, PURCHASE, press)
    expect(opened.status).toBe(200)
    const sessionId = new URL(String(opened.json().url)).pathname.slice('/c/pay/'.length)
    proxy.loseCommitOf('insert into "cards"')
    // Whoever settles first, the provider's event or the buyer, is not told.
    await pay(product, sessionId)
    const first = await askForCard(product, sessionId)
    if (first.status !== 200) expectAskedAgain(first)
    const second = await askForCard(product, sessionId)
    expect(second.status).toBe(200)
    await environment.noWorkLeft()
    const { db } = environment.database
    const cards = await db.read(reader =>
      reader
        .selectFrom('cards')
        .innerJoin('orders', 'orders.id', 'cards.order_id')
        .select('cards.id')
        .where('attempt_key_digest', 'is not', null)
        .execute(),
    )
    expect(cards).toEqual([{ id: second.json().id }])
    const mails = (await environment.mails()).filter(({ text }) => text.includes(String(second.json().key)))
    expect(mails).toHaveLength(1)
    expect(await checkLedger(db)).toEqual([])
  })
  it('is not taken for a loss that nobody hears of: the operator is written to, once', async () => {
    const { cardId, privateKey } = await buyCard(product)
    expect((await post(product.url + cardApi(privateKey), selectionOf({ 'ngo-msf': 50 }))).status).toBe(200)
    const desk = (path: string, body: object, headers: Record<string, string> = {}) =>
      post(`${product.url}/api/operator/${path}`, body, { Origin: product.url, ...headers })
    const { refundable } = JSON.parse((await desk('card', { id: cardId })).text)
    proxy.loseCommitOf('insert into "reversals"')
    await desk(
      'act',
      { act: 'refund', card: cardId, amount: refundable.left, ...refundable },
      { 'Idempotency-Key': 'one-refund-by-the-operator' },
    )
    // The provider tells of the refund until it is heard.
    const { db } = environment.database
    const booked = () => db.read(reader => reader.selectFrom('reversals').select('order_id').execute())
    await expect.poll(booked, { timeout: 20_000 }).toHaveLength(1)
    await environment.noWorkLeft()
    const told = async () =>
      (await environment.mails()).filter(
        ({ to, head }) => to === 'me@gift.example' && head.includes('lost, order'),
      )
    await expect.poll(told, { timeout: 20_000 }).toHaveLength(1)
    expect(await checkLedger(db)).toEqual([])
  })
})

/** Sends the whole request and breaks the connection before anything comes back. */
function sendAndHangUp(url: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const all = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), ...headers }
    const sent = request(url, { method: 'POST', agent: false, headers: all }, () =>
      reject(new Error('The answer was quicker than the visitor')),
    )
    sent.on('close', resolve)
    sent.on('error', () => {})
    // Once it is written it is the server's: closing politely lets it arrive whole.
    sent.end(text, () => sent.socket?.destroySoon())
  })
}
