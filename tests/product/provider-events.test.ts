import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { askForCard, buyCard, openPayment, pay } from '#tests/support/product/buy.ts'
import { outcomeOf } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { deliver, sessionEvent, signed, webhookSecretOf } from '#tests/support/product/provider-events.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const SEEDS = count({ usual: 15, long: 250 })
const EVENTS = 10
const ASKS = 3

describe.each(['sqlite', 'postgres', 'pooled'] as const)('events of the payment provider (%s)', engine => {
  let environment: TestEnvironment
  let product: Product
  let secret: string
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    product = await startProduct({ env: environment.env })
    secret = webhookSecretOf(environment.dataDir)
  })
  afterAll(async () => {
    await product?.kill()
    await environment?.close()
  })

  it(`make one card and one mail, ${SEEDS} times, however they meet the press and the success page`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await meet(fakeChance(seed), seed)
    const { db } = environment.database
    await environment.noWorkLeft()
    const mails = await environment.mails()
    for (let seed = 1; seed <= SEEDS; seed++) {
      expect(
        mails.filter(({ to }) => to === buyerOf(seed)),
        `seed ${seed}`,
      ).toHaveLength(1)
    }
    expect(await db.read(reader => reader.selectFrom('cards').select('id').execute())).toHaveLength(SEEDS)
    expect(await checkLedger(db)).toEqual([])
  })

  /** All at once, in an order of chance's: the press, ten deliveries, three success pages; then all but the press again. */
  async function meet(chance: () => number, seed: number): Promise<void> {
    const sessionId = await openPayment(product)
    const types = ['checkout.session.completed', 'checkout.session.async_payment_succeeded']
    const events = Array.from({ length: EVENTS }, (_, n) => sessionEvent(types[n % 2]!, sessionId))
    const keys = new Set<unknown>()
    const press = async () => {
      expect((await pay(product, sessionId, { email: buyerOf(seed) })).status).toBe(303)
    }
    const delivery = (body: string) => async () => {
      expect((await deliver(product, body, signed(body, secret))).status).toBe(204)
    }
    const ask = (isPaid: boolean) => async () => {
      const answer = await askForCard(product, sessionId)
      if (answer.status === 200) keys.add(answer.json().key)
      else expect([outcomeOf(answer), isPaid]).toEqual(['409 payment-not-completed', false])
    }
    const calls = (isPaid: boolean) => [
      ...events.map(delivery),
      ...Array.from({ length: ASKS }, () => ask(isPaid)),
    ]
    await Promise.all(shuffled([press, ...calls(false)], chance).map(act => act()))
    await Promise.all(shuffled(calls(true), chance).map(act => act()))
    expect(keys.size, `seed ${seed}`).toBe(1)
  }

  it('are refused with a wrong signature, an old one or an altered body, and change nothing', async () => {
    const { sessionId } = await buyCard(product)
    const unpaid = await openPayment(product)
    const body = sessionEvent('checkout.session.expired', unpaid)
    const now = Math.floor(Date.now() / 1000)
    const before = await environment.dump()
    const wrong = [
      signed(body, 'whsec_another'),
      signed(body, secret, now - 301),
      signed(`${body} `, secret),
      signed(body.replace(unpaid, sessionId), secret),
      signed(body, secret).replace('v1=', 'v0='),
      `t=${now}`,
      'v1=',
      '',
    ]
    for (const signature of wrong) {
      const answer = await deliver(product, body, signature)
      expect([outcomeOf(answer), signature]).toEqual(['400 invalid-signature', signature])
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    }
    expect(await environment.dump()).toBe(before)
    // The same body with its right signature is taken: the refusals were for the signature alone.
    expect((await deliver(product, body, signed(body, secret))).status).toBe(204)
  })

  it('are refused when they are a megabyte long, with or without a length, and change nothing', async () => {
    const before = await environment.dump()
    const body = JSON.stringify({ id: 'evt_long', object: 'event', filler: 'x'.repeat(1_000_000) })
    for (const chunked of [false, true]) {
      const answer = await deliver(product, body, signed(body, secret), chunked)
      expect(outcomeOf(answer)).toBe('413 body-too-large')
    }
    expect(await environment.dump()).toBe(before)
  })
})

const buyerOf = (seed: number) => `seed-${seed}@example.org`

function shuffled<T>(items: readonly T[], chance: () => number): T[] {
  return items
    .map(item => ({ item, at: chance() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
