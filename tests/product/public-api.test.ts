import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PARTNER_SCOPES } from '#domain/partner/partner.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { TILE_WIDTH } from '#domain/public-ledger/tiles.ts'
import { addPartner } from '#server/modules/partners/partner-acts.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { boughtAt, noonDaysAgo, sellCard, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { freePort } from '#tests/support/free-port.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { PARTNER_ORDER } from '#tests/support/product/every-route.ts'
import { type Schema, strangeText, valuesFor } from '#tests/support/product/hostile.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'
import { PARTNER_ORDERS_PATH } from '#wire/partner.ts'
import { OPERATIONS, type Operation } from '#wire/public-api.ts'

const REQUESTS = count({ usual: 30, long: 1_000 })
const AT_ONCE = 8
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)
const LEDGER_KEY = 'the key of the public ledger of this test'

interface Described {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example: object }>>
  }
  readonly parameters?: readonly {
    readonly name: string
    readonly in: 'path' | 'header'
    readonly schema: Schema
    readonly example: unknown
  }[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}
interface Content {
  readonly schema: object
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

let environment: TestEnvironment
let product: Product
let document: Document
/** What stands in the place of examples: as wide as the last tile is, and an order that there is. */
const known: Record<string, unknown> = {}
/** A partner's, for every call that needs one. */
let key: string
const validator = new Ajv2020({ strict: false, validateFormats: false })

beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  const port = await freePort()
  const { db } = environment.database
  // Lately, so that none is due to be given away by itself.
  const lately = boughtAt(noonDaysAgo(60))
  await db.transaction(async trx => {
    for (let n = 0; n < 30; n++) await sellCard(trx, lately)
  })
  const signer = createSigner(LEDGER_KEY, originOf(`http://localhost:${port}`))
  await sequenceDays({ db, clock: Date.now, signer, draw: most => most - 1 }, async () => {})
  const { size } = await db.read(reader =>
    reader.selectFrom('ledger_heads').select('size').orderBy('size', 'desc').executeTakeFirstOrThrow(),
  )
  known.width = size % TILE_WIDTH
  const partner = { name: 'Shop', contact: 'shop@example.org', scopes: PARTNER_SCOPES }
  const { mac } = testKeys
  ;({ key } = await db.transaction(trx => addPartner(trx, partner, { mac, now: Date.now() })))
  product = await startProduct({
    env: { ...environment.env, CARD_KEY_SECRET: TEST_CARD_SECRET, LEDGER_KEY },
    port,
  })
  document = (await call(`${product.url}/api/openapi.json`)).json() as unknown as Document
  known.id = (await send(PARTNER_ORDER)).json().id
})
afterAll(async () => {
  await product?.kill()
  await environment?.close()
})

const describedAt = (path: string, method: string): Described => document.paths[path]![method.toLowerCase()]!

/** The path with a value in the place of each parameter. */
const filled = (path: string, values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(written(value))),
    path,
  )

const written = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()

const headersOf = ({ scope }: Operation): Record<string, string> =>
  scope ? { Authorization: `Bearer ${key}` } : {}

let presses = 0
/** Asks for a payment, by a press of its own. */
const send = (body: unknown, pressed = `a-press-of-this-test-${presses++}`): Promise<Answer> =>
  call(product.url + PARTNER_ORDERS_PATH, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': pressed,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Has each of so many requests made, some at once. */
async function each<Request>(
  requests: readonly Request[],
  ask: (request: Request, n: number) => Promise<void>,
) {
  let begun = 0
  const sender = async () => {
    for (let n = begun++; n < requests.length; n = begun++) await ask(requests[n]!, n)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sender))
}

const compiled = new Map<Content, ValidateFunction>()
/** Made once for each answer: making it takes longer than asking. */
function validatorOf(content: Content): ValidateFunction {
  const { components } = document as object as { components: object }
  const made = compiled.get(content) ?? validator.compile({ ...content.schema, components })
  compiled.set(content, made)
  return made
}

/** Is this an answer that the document announces? */
function expectDescribed({ status, headers, text }: Answer, { responses }: Described, of: string): void {
  const response = responses[status]
  if (!response) expect.fail(`${status} stands nowhere for ${of}`)
  if (!response.content) return
  const type = String(headers['content-type']).split(';')[0]!
  const content = response.content[type]
  if (!content) expect.fail(`${type} stands nowhere for ${of}`)
  const value: unknown = type.endsWith('json') ? JSON.parse(text) : text
  const validate = validatorOf(content)
  expect(validate(value) ? [] : validate.errors, of).toEqual([])
}

it('the document names every operation that there is, and no other', () => {
  const named = Object.entries(document.paths).flatMap(([path, each]) =>
    Object.keys(each).map(method => `${method.toUpperCase()} ${path}`),
  )
  expect(named.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort())
})

describe.each(OPERATIONS.filter(({ method }) => method === 'GET'))('$method $path', operation => {
  const { method, path } = operation
  it('answers as the document says', async () => {
    const described = describedAt(path, method)
    const examples = Object.fromEntries(
      (described.parameters ?? []).map(({ name, example }) => [name, known[name] ?? example]),
    )
    const answer = await call(product.url + filled(path, examples), { headers: headersOf(operation) })
    // A log of a few lines has no full tile.
    expect(answer.status).toBe(path.endsWith('/{tile}') ? 404 : 200)
    expectDescribed(answer, described, path)
  })

  it(`never fails, whatever is asked (seed ${SEED})`, async () => {
    const described = describedAt(path, method)
    const values = fc.record(
      Object.fromEntries(
        (described.parameters ?? []).map(({ name, schema, example }) => [name, valuesFor(schema, example)]),
      ),
    )
    const requests = fc.sample(fc.tuple(values, fc.option(strangeText)), { numRuns: REQUESTS, seed: SEED })
    await each(requests, async ([parameters, query], n) => {
      const asked = encodeURIComponent(written(query ?? ''))
      const answer = await call(
        product.url + filled(path, parameters) + (query === null ? '' : `?q=${asked}`),
        { headers: headersOf(operation) },
      )
      if (answer.status >= 500) expect.fail(`${answer.status} for ${n} of seed ${SEED}`)
      // What fits the parameters is answered as described; what does not is somebody else's path, or nobody's.
      const isOurs = Object.values(parameters).every(value => /^[\w-]{1,128}$/.test(written(value)))
      if (operation.scope ? isOurs : answer.status === 200 && !path.includes('{'))
        expectDescribed(answer, described, `${path}, ${n} of seed ${SEED}`)
    })
  })
})

describe('POST of an order', () => {
  const described = () => describedAt(PARTNER_ORDERS_PATH, 'POST')
  const bodyOf = () => described().requestBody!.content['application/json']!

  it('answers its example as the document says, where the terms are those in force', async () => {
    const { example } = bodyOf()
    const answer = await send({ ...example, ...SEED_TERMS })
    expect(answer.status).toBe(200)
    expectDescribed(answer, described(), PARTNER_ORDERS_PATH)
  })

  it(`never fails, and answers as the document says, whatever is sent (seed ${SEED})`, async () => {
    const { schema } = bodyOf()
    const good: Readonly<Record<string, unknown>> = PARTNER_ORDER
    const field = fc.oneof(
      ...Object.entries(schema.properties ?? {}).map(([name, each]) =>
        fc.tuple(fc.constant(name), valuesFor(each, good[name])),
      ),
    )
    const nearly = fc
      .array(field, { maxLength: 2 })
      .map(changes => written({ ...good, ...Object.fromEntries(changes) }))
    const bodies = fc.oneof(
      { weight: 4, arbitrary: nearly },
      { weight: 2, arbitrary: valuesFor(schema, good).map(written) },
      { weight: 1, arbitrary: strangeText },
    )
    const statuses = new Set<number>()
    await each(fc.sample(bodies, { numRuns: REQUESTS, seed: SEED }), async (body, n) => {
      const answer = await send(body.toWellFormed())
      statuses.add(answer.status)
      if (answer.status >= 500) expect.fail(`${answer.status} for ${n} of seed ${SEED}`)
      expectDescribed(answer, described(), `${n} of seed ${SEED}`)
    })
    // Good ones and bad ones were among them.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 422]))
  })

  it.each([
    ['no key', { Authorization: '' }, 401],
    ['another’s key', { Authorization: `Bearer partner_${'a'.repeat(43)}` }, 401],
    ['a key of the sandbox', { Authorization: `Bearer sandbox_${'a'.repeat(43)}` }, 401],
    ['a page', { Origin: 'https://elsewhere.example' }, 403],
    ['another type', { 'Content-Type': 'text/plain' }, 415],
    ['no press', { 'Idempotency-Key': '' }, 400],
  ])('answers %s as the document says', async (_, changed, status) => {
    const headers = {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'a-press-that-is-refused',
      ...changed,
    }
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const body = JSON.stringify(PARTNER_ORDER)
    const answer = await call(product.url + PARTNER_ORDERS_PATH, { method: 'POST', headers: sent, body })
    expect(answer.status).toBe(status)
    expectDescribed(answer, described(), PARTNER_ORDERS_PATH)
  })
})

it('an answer that is not as the document says is found', () => {
  const described = describedAt('/api/public/organisations', 'GET')
  const wrong = { status: 200, headers: { 'content-type': 'application/json' }, text: '{"year":"2026"}' }
  expect(() => expectDescribed(wrong as unknown as Answer, described, 'planted')).toThrow()
  expect(() =>
    expectDescribed({ ...wrong, status: 418 } as unknown as Answer, described, 'planted'),
  ).toThrow()
})
