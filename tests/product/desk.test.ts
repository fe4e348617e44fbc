import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoughtCard, buyCard } from '#tests/support/product/buy.ts'
import { type Answer, post } from '#tests/support/product/call.ts'
import { CARD_KEY_SECRET, logIn, sessionOf, TOKEN } from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

let environment: TestEnvironment
let product: Product
let bought: BoughtCard
let session: string
beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  product = await startProduct({
    env: { ...environment.env, CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN, RATE_LIMITS: 'on' },
  })
  bought = await buyCard(product)
  session = sessionOf(await logIn(product, TOKEN))
})
afterAll(async () => {
  await product?.kill()
  await environment?.close()
})

let presses = 0
const ask = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  post(`${product.url}/api/operator/${path}`, body, { Cookie: session, Origin: product.url, ...headers })
const act = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  ask('act', body, { 'Idempotency-Key': `a-press-of-the-operator-${presses++}`, ...headers })
const said = ({ status, text }: Answer) => {
  const { code, fields } = JSON.parse(text)
  return [status, code, fields?.[0]?.rule]
}
const find = async (words: string) => JSON.parse((await ask('find', { words })).text).hits
const cardOf = async (): Promise<string> => (await find(bought.email))[0].card

describe('the operator’s desk', () => {
  it('finds a gift by the buyer’s address alone, and tells its story, to the operator alone', async () => {
    const hits = await find(bought.email)
    expect(hits).toMatchObject([{ kind: 'card', state: 'active', amount: 5_000, currency: 'EUR' }])
    expect(await find(bought.sessionId)).toEqual(hits)
    const answer = await ask('card', { id: hits[0].card })
    expect(answer.headers['cache-control']).toContain('no-store')
    for (const secret of [bought.privateKey, bought.publicKey, bought.sessionId, bought.email])
      expect(answer.text).not.toContain(secret)
    for (const [path, body] of [
      ['find', { words: bought.email }],
      ['card', { id: hits[0].card }],
      ['act', { act: 'hold', card: hits[0].card }],
    ] as const) {
      const stranger = { Cookie: '', 'Idempotency-Key': 'a-press-of-a-stranger' }
      expect(said(await ask(path, body, stranger))).toEqual([401, 'operator-only', undefined])
      const elsewhere = { ...stranger, Cookie: session, Origin: 'https://elsewhere.example' }
      expect((await ask(path, body, elsewhere)).status).toBe(403)
    }
    expect((await find(bought.email))[0].state).toBe('active')
  })

  it('wants the press’s key for every act', async () => {
    const held = await ask('act', { act: 'hold', card: await cardOf() })
    expect(said(held)).toEqual([422, 'invalid-fields', 'required'])
  })

  it('wants the token once more for what gives somebody a gift or money', async () => {
    const card = await cardOf()
    const { refundable } = JSON.parse((await ask('card', { id: card })).text)
    for (const body of [
      { act: 'address', email: 'thief@example.org' },
      { act: 'links' },
      { act: 'refund', amount: refundable.left, ...refundable },
    ]) {
      expect(said(await act({ ...body, card }))).toEqual([409, 'act-refused', 'token'])
      expect(said(await act({ ...body, card, token: 'a guess' }))).toEqual([409, 'act-refused', 'token'])
      // A program that brings the token with each call gives it again as well.
      const bearer = { Cookie: '', Authorization: `Bearer ${TOKEN}` }
      expect(said(await act({ ...body, card }, bearer))).toEqual([409, 'act-refused', 'token'])
    }
    expect(await find('thief@example.org')).toEqual([])
    expect((await find(bought.email))[0].state).toBe('active')
  })

  it('wants it for everything about payouts too, and the operator for each', async () => {
    const bank = { iban: 'DE89370400440532013000', payer: 'Us' }
    const calls = [
      ['payout-act', { act: 'run', run: '2026-11', before: Date.now() }],
      ['payout-act', { act: 'paid', payout: '0'.repeat(26), reference: 'R' }],
      ['payout-act', { act: 'cancel', payout: '0'.repeat(26) }],
      ['payout-files', { run: '2026-11', ...bank }],
      ['statement', { text: '<a/>', apply: true }],
    ] as const
    for (const [path, body] of calls) {
      const press = { 'Idempotency-Key': `a-press-of-the-treasurer-${presses++}` }
      expect(said(await ask(path, body, press))).toEqual([409, 'act-refused', 'token'])
      expect(said(await ask(path, { ...body, token: TOKEN }))).toEqual([422, 'invalid-fields', 'required'])
      const stranger = { ...press, Cookie: '' }
      expect((await ask(path, { ...body, token: TOKEN }, stranger)).status).toBe(401)
      const elsewhere = { ...press, Origin: 'https://elsewhere.example' }
      expect((await ask(path, { ...body, token: TOKEN }, elsewhere)).status).toBe(403)
    }
    const press = { 'Idempotency-Key': 'a-press-that-is-proven' }
    const run = { act: 'run', run: '2026-11', before: Date.now(), token: TOKEN }
    expect(said(await ask('payout-act', run, press))).toEqual([409, 'act-refused', 'nothing-owed'])
  })

  it('gives a payment back, once', async () => {
    const card = await cardOf()
    const { refundable } = JSON.parse((await ask('card', { id: card })).text)
    const body = { act: 'refund', card, amount: refundable.left, ...refundable, token: TOKEN }
    const press = { 'Idempotency-Key': 'the-press-that-gives-back' }
    const answers = await Promise.all([1, 2, 3].map(() => act(body, press)))
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await find(bought.email))[0].state).toBe('revoked')
    const after = JSON.parse((await ask('card', { id: card })).text)
    expect(after.refundable.left).toBe(0)
    expect(JSON.parse((await act(body, press)).text)).toEqual({ card, is_repeated: true })
  })

  it('counts guesses like those of a login', async () => {
    const card = await cardOf()
    const guesses: number[] = []
    for (let n = 0; n < 12; n++)
      guesses.push((await act({ act: 'links', card, token: `a guess ${n}` })).status)
    expect(guesses.at(-1)).toBe(429)
    expect((await logIn(product, TOKEN)).status).toBe(429)
  })
})
