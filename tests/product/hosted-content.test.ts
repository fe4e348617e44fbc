import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerLocally } from '#server/http/transport/mounts.ts'
import { createLake, type Lake } from '#stand-ins/local-lake/index.ts'
import { call } from '#tests/support/product/call.ts'
import { apartFromWaiting, shownAfter } from '#tests/support/product/content.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { expectRefusal } from '#tests/support/product/refusal.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const PROJECT = 'abc12345'
const SECRET = 'what the content service signs with'
const NEWS = '/api/cms/published'
const LIST = '/es/intro/ngo-list'
const SEED = fileURLToPath(new URL('../../studio/seed/production.ndjson', import.meta.url))
const REDIRECT = pathToFileURL(fileURLToPath(new URL('../support/product/hosted-by.ts', import.meta.url)))

/** A content service of the same API, which a site with a project asks in place of the hosted one. */
let lake: Lake
let service: Server
let isAway = false
let asked: string[] = []
let environment: TestEnvironment
let product: Product
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  lake = await createLake({
    dir: join(environment.dataDir, 'elsewhere'),
    seedFiles: [SEED],
    projectId: PROJECT,
    openMode: true,
  })
  service = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    asked.push(`${request.method} ${url.pathname}`)
    if (isAway) return void response.writeHead(503).end()
    void answerLocally({ handle: sent => lake.fetch(sent) }, { request, response, url })
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  env = {
    ...environment.env,
    SANITY_PROJECT_ID: PROJECT,
    SANITY_WEBHOOK_SECRET: SECRET,
    HOSTED_CONTENT: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    NODE_OPTIONS: `--import ${REDIRECT}`,
  }
  product = await startProduct({ env })
})
afterAll(async () => {
  await product?.kill()
  service?.closeAllConnections()
  service?.close()
  await lake?.close()
  await environment?.close()
})

const rename = (name: string) =>
  lake.fetch(
    new Request('http://localhost/v2026-05-04/data/mutate/production', {
      method: 'POST',
      body: JSON.stringify({ mutations: [{ patch: { id: 'ngo-undp', set: { 'title.es': name } } }] }),
    }),
  )

const BODY = '{"_id":"ngo-undp"}'

function news({ body = BODY, signed = BODY, time = Date.now(), secret = SECRET } = {}) {
  const digest = createHmac('sha256', secret).update(`${time}.${signed}`).digest('base64url')
  return call(product.url + NEWS, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', 'sanity-webhook-signature': `t=${time},v1=${digest}` },
  })
}

const isShownAfter = (name: string) => apartFromWaiting(product, () => shownAfter(product.url + LIST, name))

const shown = async () => (await call(product.url + LIST)).text

it('asks the project for the content, at no page view, and keeps no content of its own', async () => {
  expect(asked).toContain('GET /v2026-05-04/data/query/production')
  asked = []
  expect(await shown()).toContain('UNICEF')
  expect(asked).toEqual([])
  for (const path of ['/v2026-05-04/data/query/production?query=*', '/v2026-05-04/users/me'])
    expect((await call(product.url + path)).status, path).toBe(302)
})

it('fetches pictures where the project keeps them', async () => {
  const page = await call(`${product.url}/es/intro/memorial`)
  const picture = /\/images\/[^"\s]+/.exec(page.text)?.[0]
  expect(picture).toBeDefined()
  expect((await call(product.url + picture)).status).toBe(200)
})

it('shows what was published once the service says so, and believes nobody else', async () => {
  await rename('PNUD, con otro nombre')
  asked = []
  for (const forged of [
    { secret: 'another secret' },
    { signed: '{"_id":"another"}' },
    { time: Date.now() - 6 * 60_000 },
  ])
    expectRefusal(await news(forged), [400, 'invalid-signature'], 'forged news')
  const unsigned = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }
  expectRefusal(await call(product.url + NEWS, unsigned), [400, 'invalid-signature'], 'unsigned news')
  expect(asked).toEqual([])
  expect(await shown()).not.toContain('PNUD, con otro nombre')

  expect((await news()).status).toBe(204)
  expect(await isShownAfter('PNUD, con otro nombre')).toBeLessThan(2_000)
})

it('goes on with the last good content while the service is away, and follows once it is back', async () => {
  isAway = true
  await rename('PNUD, mientras tanto')
  expect((await news()).status).toBe(204)
  expect(await shown()).toContain('PNUD, con otro nombre')
  isAway = false
  expect((await news()).status).toBe(204)
  expect(await isShownAfter('PNUD, mientras tanto')).toBeLessThan(2_000)
})
