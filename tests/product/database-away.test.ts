import { afterAll, beforeAll, expect, it } from 'vitest'
import { cardApi } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { type HangingProduct, openHangingProduct } from '#tests/support/product/hanging-product.ts'
import { expectSecurityHeaders } from '#tests/support/product/refusal.ts'

let hanging: HangingProduct
beforeAll(async () => {
  hanging = await openHangingProduct()
})
afterAll(() => hanging?.close())

const page = () => `${hanging.product.url}/gift-card/${hanging.card.privateKey}/introduction-1/final`
const screenOf = (html: string): string | undefined => /data-screen="([^"]+)"/.exec(html)?.[1]

it('while the database is away, a gift’s page stays where it is, says when to try again, and comes back', async () => {
  const { proxy, product, card } = hanging
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
  const { proxy, product } = hanging
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
