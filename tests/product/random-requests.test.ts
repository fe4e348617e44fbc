import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { count, isLong } from '#tests/support/counts.ts'
import { type BoughtCard, buyCard, cardApi } from '#tests/support/product/buy.ts'
import { type Answer, type CallOptions, call } from '#tests/support/product/call.ts'
import { getReady, OWN_ROUTES, type Ready, type RouteRow } from '#tests/support/product/every-route.ts'
import {
  bodiesFor,
  formsFor,
  MARKUP,
  pathsFor,
  strangeHeaders,
  strangeText,
} from '#tests/support/product/hostile.ts'
import { CARD_KEY_SECRET, TOKEN } from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { sessionEvent, signed, webhookSecretOf } from '#tests/support/product/provider-events.ts'
import { expectNoEcho, MARK } from '#tests/support/product/refusal.ts'
import { ROOT } from '#tests/support/product/root.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'
import type { Contract } from '#wire/contract.ts'

const CALLS = count({ usual: 250, long: 100_000 })
/** Pages, files and downloads say the same to everybody. */
const LOOKS = count({ usual: 60, long: 10_000 })
/** A document is drawn, or sent, for each. */
const COSTLY = ['api/gift-card/print.ts', 'front: photo-book']
const DOCUMENTS = count({ usual: 10, long: 1_000 })
const AT_ONCE = 8
/** Made so many at a time. */
const CHUNK = 1_000
const NO_ANSWER_MS = 20_000
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

const CONTRACTS = Object.values(
  import.meta.glob<Record<string, Partial<Contract>>>('/src/wire/*.ts', { eager: true }),
).flatMap(module =>
  Object.values(module).filter(each => typeof each?.path === 'string' && each.request),
) as Contract[]

describe.each(isLong ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const))(
  `whatever anybody sends (%s, seed ${SEED})`,
  engine => {
    let environment: TestEnvironment
    let product: Product
    let ready: Ready
    let secrets: readonly string[]
    let untouched: BoughtCard
    beforeAll(async () => {
      environment = await openTestEnvironment(engine)
      product = await startProduct({ env: { ...environment.env, CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN } })
      ready = await getReady(product, environment, sign)
      untouched = await buyCard(product, { email: 'nobody-else@example.org' })
      const { privateKey, publicKey, cardId, email } = untouched
      const inside = [ROOT, 'node_modules', 'node:internal', '    at ', 'SQLITE_', 'SqliteError', 'select "']
      secrets = [CARD_KEY_SECRET, TOKEN, webhookSecret(), privateKey, publicKey, cardId, email, ...inside]
    })
    afterAll(async () => {
      await product?.kill()
      await environment?.close()
    })

    const webhookSecret = () => webhookSecretOf(environment.dataDir)
    const sign = (sessionId: string): Ready['event'] => {
      const body = sessionEvent('checkout.session.completed', sessionId)
      return { body, signature: signed(body, webhookSecret()) }
    }

    it.each(OWN_ROUTES.map((route, n) => ({ route, n, name: `${route.from} (${route.use})` })))(
      '$name: never a failure, an echo or a secret',
      async ({ route, n }) => {
        const requests = requestsFor(route)
        const times = COSTLY.includes(route.from) ? DOCUMENTS : route.from.startsWith('api/') ? CALLS : LOOKS
        for (let begun = 0; begun < times; begun += CHUNK) {
          const seed = SEED + n * 1_000_003 + begun
          await sendAll(
            fc.sample(requests, { numRuns: Math.min(CHUNK, times - begun), seed }),
            `${route.from} seed ${seed}`,
          )
        }
        expect(says(MARK)).toBe(false)
      },
    )

    it('and in the end all books balance, and what nobody named is as it was', async () => {
      expect(await checkLedger(environment.database.db)).toEqual([])
      const { giftcard } = (await call(`${product.url}${cardApi(untouched.privateKey)}/full`)).json()
      expect(giftcard).toMatchObject({ credit: '5000', consumed: false })
    })

    it('and who came in as the operator, or tried to, is in the log', () => {
      for (const event of ['operator-login', 'operator-login-refused', 'operator-call-refused'])
        expect(says(`"event":"${event}"`), event).toBe(true)
    })

    /** Asked so that a failure does not print the whole log, which has a line for each of a million requests. */
    const says = (words: string): boolean => product.output().includes(words)

    interface Sent extends CallOptions {
      readonly path: string
    }

    function requestsFor(route: RouteRow): fc.Arbitrary<Sent> {
      const good = route.ask(ready)
      const method = good.method ?? 'GET'
      const bodies = method === 'GET' ? fc.constant(undefined) : bodiesOf(route, good.body ?? '')
      return fc
        .tuple(pathsFor(good.path), strangeHeaders, bodies, fc.nat(9))
        .map(([path, more, body, luck]) => {
          const proof =
            route.use === 'signed' && luck > 1
              ? { 'Stripe-Signature': signed(body ?? '', webhookSecret()) }
              : {}
          const headers = { ...good.headers, ...proof, ...more }
          return { path, method, headers, ...(body !== undefined && { body }) }
        })
    }

    function bodiesOf(route: RouteRow, good: string): fc.Arbitrary<string> {
      const contract = CONTRACTS.find(({ path, method }) => path === route.contract && method === 'POST')
      if (contract) return bodiesFor(contract.request, JSON.parse(good))
      if (!good.startsWith('{')) return formsFor(new URLSearchParams(good))
      const event = JSON.parse(good) as unknown
      return fc.oneof(
        fc.constant(good),
        strangeText,
        fc
          .tuple(strangeText, strangeText)
          .map(([name, value]) => JSON.stringify({ ...(event as object), [name]: value })),
        strangeText.map(value =>
          good.replace(/cs_\w+|checkout\.session\.\w+/, JSON.stringify(value).slice(1, -1)),
        ),
      )
    }

    async function sendAll(requests: readonly Sent[], of: string): Promise<void> {
      let begun = 0
      const sender = async () => {
        for (let n = begun++; n < requests.length; n = begun++) {
          const { path, ...options } = requests[n]!
          const answer = await inTime(call(product.url + path, options), `${of} ${n}`)
          expectHarmless(answer, `${of} ${n}: ${JSON.stringify(requests[n]).slice(0, 500)}`)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, sender))
    }

    function expectHarmless(answer: Answer, of: string): void {
      // The photo-book may be in the making.
      const isAwaited = answer.status === 503 && of.includes('photo-book')
      if (answer.status >= 500 && !isAwaited)
        expect.fail(`${answer.status} ${answer.text.slice(0, 300)} for ${of}`)
      const isJson = String(answer.headers['content-type']).includes('json')
      if (answer.status >= 400 && isJson) expectNoEcho(answer, of)
      const type = String(answer.headers['content-type'] ?? '')
      if (type.startsWith('text/') && !/charset=utf-8/i.test(type))
        expect.fail(`text of no encoding, ${type}: ${of}`)
      const said = answer.text + JSON.stringify(answer.headers)
      // What was typed may stand in its field again, where nothing but a quotation mark ends it.
      const outsideOfFields = said.replace(/ value="[^"]*"/g, '')
      if (outsideOfFields.includes(`<${MARK}`) || said.includes(MARKUP))
        expect.fail(`markup comes back: ${of}`)
      const leaked = secrets.find(secret => said.includes(secret))
      if (leaked !== undefined) expect.fail(`${leaked} is told: ${of}\n${said.slice(0, 500)}`)
    }
  },
)

async function inTime<T>(work: Promise<T>, of: string): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`no answer in ${NO_ANSWER_MS} ms: ${of}`)),
    NO_ANSWER_MS,
  )
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
