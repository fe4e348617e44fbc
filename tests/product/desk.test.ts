import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoughtCard, buyCard } from '#tests/support/product/buy.ts'
import { type Answer, call, post } from '#tests/support/product/call.ts'
import {
  aKeyFor,
  CARD_KEY_SECRET,
  challengeOf,
  enrolFirst,
  logIn,
  sendLogin,
  sessionOf,
  TOKEN,
  type Treasurer,
} from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

let environment: TestEnvironment
let product: Product
let bought: BoughtCard
let session: string
let treasurer: Treasurer
beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  product = await startProduct({
    env: { ...environment.env, CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN, RATE_LIMITS: 'on' },
  })
  bought = await buyCard(product)
  treasurer = await enrolFirst(product)
  session = treasurer.session
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

  it('wants a treasurer’s passkey for what gives somebody a gift or money', async () => {
    const card = await cardOf()
    const { refundable } = JSON.parse((await ask('card', { id: card })).text)
    const token = { Cookie: sessionOf(await logIn(product, TOKEN)) }
    const bearer = { Cookie: '', Authorization: `Bearer ${TOKEN}` }
    const ofAnother = await treasurer.confirm('another press')
    for (const body of [
      { act: 'address', email: 'thief@example.org' },
      { act: 'links' },
      { act: 'refund', amount: refundable.left, ...refundable },
    ]) {
      expect(said(await act({ ...body, card }))).toEqual([409, 'act-refused', 'passkey'])
      const guess = { ...body, card, passkey: ofAnother }
      expect(said(await act(guess))).toEqual([409, 'act-refused', 'passkey'])
      for (const others of [token, bearer])
        expect(said(await act(guess, others))).toEqual([409, 'act-refused', 'role'])
    }
    expect(await find('thief@example.org')).toEqual([])
    expect((await find(bought.email))[0].state).toBe('active')
  })

  it('wants it for everything about payouts and people too, and the operator for each', async () => {
    const bank = { iban: 'DE89370400440532013000', payer: 'Us' }
    const calls = [
      ['payout-act', { act: 'run', run: '2026-11', before: Date.now() }],
      ['payout-act', { act: 'paid', payout: '0'.repeat(26), reference: 'R' }],
      ['payout-act', { act: 'cancel', payout: '0'.repeat(26) }],
      ['payout-files', { run: '2026-11', ...bank }],
      ['statement', { text: '<a/>', apply: true }],
      ['people-act', { act: 'invite', name: 'Eve', role: 'treasurer', email: 'eve@example.org' }],
      ['people-act', { act: 'add-passkey', person: '0'.repeat(26) }],
      ['people-act', { act: 'end', person: '0'.repeat(26) }],
    ] as const
    for (const [path, body] of calls) {
      const key = `a-press-of-the-treasurer-${presses++}`
      const press = { 'Idempotency-Key': key }
      const passkey = await treasurer.confirm(key)
      expect(said(await ask(path, body, press))).toEqual([409, 'act-refused', 'passkey'])
      expect(said(await ask(path, { ...body, passkey }))).toEqual([422, 'invalid-fields', 'required'])
      const stranger = { ...press, Cookie: '' }
      expect((await ask(path, { ...body, passkey }, stranger)).status).toBe(401)
      const elsewhere = { ...press, Origin: 'https://elsewhere.example' }
      expect((await ask(path, { ...body, passkey }, elsewhere)).status).toBe(403)
    }
    const press = { 'Idempotency-Key': 'a-press-that-is-proven' }
    const passkey = await treasurer.confirm('a-press-that-is-proven')
    const run = { act: 'run', run: '2026-11', before: Date.now(), passkey }
    expect(said(await ask('payout-act', run, press))).toEqual([409, 'act-refused', 'nothing-owed'])
  })

  it('lets somebody in by a code, who signs in with a passkey of their own', async () => {
    const press = 'the-press-that-invites'
    const asked = { act: 'invite', name: 'Ben', role: 'editor', email: 'ben@example.org' }
    const passkey = await treasurer.confirm(press)
    const answer = await ask('people-act', { ...asked, passkey }, { 'Idempotency-Key': press })
    const { code } = JSON.parse(answer.text).invitation
    const key = aKeyFor(product)
    const options = await challengeOf(product, { for: 'invitation', code })
    const signedIn = await sendLogin(product, { code, answer: key.create(options) })
    expect(signedIn.status).toBe(303)
    const ben = { Cookie: sessionOf(signedIn) }
    const held = await act({ act: 'hold', card: await cardOf() }, ben)
    expect(held.status).toBe(200)
    expect(said(await act({ act: 'links', card: await cardOf() }, ben))).toEqual([409, 'act-refused', 'role'])
    const { history } = JSON.parse((await ask('card', { id: await cardOf() })).text)
    expect(history.map(({ details }: { details: string }) => details)).toContain(
      'hold, in the Studio by Ben, done',
    )
    expect((await act({ act: 'release', card: await cardOf() })).status).toBe(200)
    const shown = await call(`${product.url}/api/operator/people`, { headers: { Cookie: session } })
    expect(JSON.parse(shown.text).people).toMatchObject([
      { name: 'Ana', role: 'treasurer', passkeys: 1 },
      { name: 'Ben', role: 'editor', passkeys: 1, email: 'ben@example.org' },
    ])
    expect(shown.text).not.toContain(code)
  })

  it('gives a payment back, once', async () => {
    const card = await cardOf()
    const { refundable } = JSON.parse((await ask('card', { id: card })).text)
    const key = 'the-press-that-gives-back'
    const press = { 'Idempotency-Key': key }
    const body = { act: 'refund', card, amount: refundable.left, ...refundable }
    // Each of them has an answer of its own: no answer is taken twice.
    const answers = await Promise.all(
      [1, 2, 3].map(async () => act({ ...body, passkey: await treasurer.confirm(key) }, press)),
    )
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await find(bought.email))[0].state).toBe('revoked')
    const after = JSON.parse((await ask('card', { id: card })).text)
    expect(after.refundable.left).toBe(0)
    expect(JSON.parse((await act({ ...body, passkey: await treasurer.confirm(key) }, press)).text)).toEqual({
      card,
      is_repeated: true,
    })
  })

  it('counts guesses like those of a login', async () => {
    const card = await cardOf()
    const guesses: number[] = []
    for (let n = 0; n < 12; n++)
      guesses.push((await act({ act: 'links', card, passkey: `a guess ${n}` })).status)
    expect(guesses.at(-1)).toBe(429)
    expect((await logIn(product, TOKEN)).status).toBe(429)
  })
})
