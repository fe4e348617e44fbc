import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/ledger/check.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { type BoughtCard, buyCard, cardApi } from '#tests/support/product/buy.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { postEndpoints } from '#tests/support/product/endpoints.ts'
import { openPremises, type Premises } from '#tests/support/product/premises.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { deliver, sessionEvent, signed, webhookSecretOf } from '#tests/support/product/provider-events.ts'
import { randomBody, randomText } from '#tests/support/product/random-json.ts'
import { expectNoEcho, MARK } from '#tests/support/product/refusal.ts'

const REQUESTS = count({ usual: 1_000, long: 100_000 })
const AT_ONCE = 8
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

describe.each(['sqlite', 'postgres'] as const)(`${REQUESTS} random requests (%s, seed ${SEED})`, engine => {
  let premises: Premises
  let product: Product
  let card: BoughtCard
  beforeAll(async () => {
    premises = await openPremises(engine)
    product = await startProduct({ env: premises.env })
    card = await buyCard(product)
  })
  afterAll(async () => {
    await product?.kill()
    await premises?.close()
  })

  it.each([
    'gateway',
    'success',
    'send-email',
    'free-get',
    'free-retrieve',
    'newsletter',
    'new-session',
    'new-event',
    'giftcard',
  ])('%s: no 5xx, no echo', async name => {
    const { path, body } = postEndpoints(card).find(endpoint => endpoint.name === name)!
    await forEach(name, async chance => {
      const sent = randomBody(body, chance)
      const headers = { 'Content-Type': 'application/json' }
      return { sent, answer: await call(product.url + path, { method: 'POST', headers, body: sent }) }
    })
    expect(await checkLedger(premises.database.db)).toEqual([])
  })

  it('webhook, with a right signature or a wrong one: no 5xx, no echo', async () => {
    const secret = webhookSecretOf(premises.dataDir)
    const event = JSON.parse(sessionEvent('checkout.session.completed', card.sessionId)) as object
    await forEach('webhook', async chance => {
      const sent = randomBody(event, chance)
      const signature = chance() < 0.8 ? signed(sent, secret) : randomHeader(chance)
      return { sent, answer: await deliver(product, sent, signature) }
    })
    expect(await checkLedger(premises.database.db)).toEqual([])
  })

  it('giftcard, read with any key: no 5xx, no echo', async () => {
    await forEach('read', async chance => {
      const key = encodeURIComponent(randomText(chance).toWellFormed()).slice(0, 900).replace(/%.?$/, '')
      const sent = `${cardApi(key)}/${chance() < 0.5 ? 'full' : encodeURIComponent(randomHeader(chance))}`
      return { sent, answer: await call(product.url + sent) }
    })
  })

  /** Sends them a few at a time, each made of its own seed, so that one alone can be repeated. */
  async function forEach(
    name: string,
    send: (chance: () => number) => Promise<{ sent: string; answer: Answer }>,
  ): Promise<void> {
    let begun = 0
    const sender = async () => {
      while (begun < REQUESTS) {
        const n = SEED + begun++
        const { sent, answer } = await send(fakeChance(n))
        const of = `${name} ${n}: ${sent.slice(0, 500)}`
        if (answer.status >= 500) expect.fail(`${answer.status} ${answer.text} for ${of}`)
        if (answer.status >= 400) expectNoEcho(answer, of, MARK)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    expect(product.output()).not.toContain(MARK)
  }
})

/** What a header may hold. */
const randomHeader = (chance: () => number): string => randomText(chance).replace(/[^\x20-\x7e]/g, '')
