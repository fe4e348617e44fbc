import { afterAll, beforeAll, expect, it } from 'vitest'
import { type HangingProxy, startHangingProxy } from '#tests/support/hanging-proxy.ts'
import { type BoughtCard, buyCard, cardApi } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { expectSecurityHeaders } from '#tests/support/product/refusal.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

let environment: TestEnvironment
let proxy: HangingProxy
let product: Product
let card: BoughtCard
beforeAll(async () => {
  environment = await openTestEnvironment('postgres')
  proxy = await startHangingProxy(environment.env.DATABASE_URL ?? '')
  product = await startProduct({ env: { ...environment.env, DATABASE_URL: proxy.url } })
  card = await buyCard(product)
})
afterAll(async () => {
  await product?.kill()
  proxy?.stop()
  await environment?.close()
})

const page = () => `${product.url}/gift-card/${card.privateKey}/introduction-1/final`
const screenOf = (html: string): string | undefined => /data-screen="([^"]+)"/.exec(html)?.[1]

it('while the database is away, a gift’s page stays where it is, says when to try again, and comes back', async () => {
  proxy.cutOff()
  for (const [language, word] of [
    ['es', 'Volvemos'],
    ['en', 'back'],
    ['fr', 'revenons'],
  ] as const) {
    const answer = await call(page(), { headers: { 'Accept-Language': language } })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expectSecurityHeaders(answer, language)
    expect(screenOf(answer.text)).toBe('unavailable')
    expect(answer.text).toContain(`lang="${language}"`)
    expect(answer.text).toContain(word)
    // An empty address is the one that the visitor is at.
    expect(answer.text).toMatch(/<a[^>]* href(="")?[^>=]* data-action="retry"/)
    expect(answer.text).not.toContain('data-action="restart"')
  }
  expect(await call(`${product.url}${cardApi(card.privateKey)}/full`)).toMatchObject({ status: 503 })
  expect(await call(`${product.url}/es`)).toMatchObject({ status: 200 })
  proxy.goOn()
  const back = await call(page())
  expect([back.status, screenOf(back.text)]).toEqual([200, 'introduction-1'])
})

it('while the database hangs, the server says within its two seconds that it is not ready', async () => {
  proxy.hang()
  const askedAt = performance.now()
  expect(await call(`${product.url}/health/ready`)).toMatchObject({
    status: 503,
    text: 'not ready: database\n',
  })
  // A busy machine is late; without the limit it would take as long as the database's own, ten seconds.
  expect(performance.now() - askedAt).toBeLessThan(8_000)
  proxy.goOn()
  expect(await call(`${product.url}/health/ready`)).toMatchObject({ status: 200 })
})
