import { afterAll, expect, it } from 'vitest'
import { MINUTE_MS } from '#domain/durations.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath, PUBLISHED_PAGES } from '#paths'
import { freePort } from '#tests/support/free-port.ts'
import { startCache } from '#tests/support/nginx.ts'
import { buyCard, cardApi } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { apartFromWaiting, contentClientOf, shownAfter } from '#tests/support/product/content.ts'
import { startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment } from '#tests/support/product/test-environment.ts'

const PAGE = '/es/intro/ngo-list'

const port = await freePort()
const cache = await startCache(port)
afterAll(() => cache.stop())
const environment = await openTestEnvironment('sqlite')
afterAll(() => environment.close())
const product = await startProduct({ env: { ...environment.env, CDN_PURGE_URL: cache.purgeUrl }, port })
afterAll(() => product.kill())

const visit = (path: string, headers: Record<string, string> = {}) => call(cache.url + path, { headers })
const fateOf = async (path: string) => (await visit(path)).headers['x-cache']

it('asks the site for a page at most once a minute, and gives everybody the same', async () => {
  const startedAt = performance.now()
  let asked = 0
  let pages = 0
  for (const { path, noStore } of PUBLISHED_PAGES) {
    if (noStore) continue
    for (const language of LANGUAGES) {
      pages++
      const address = localizedPath(language, path)
      const answers = await Promise.all(Array.from({ length: 5 }, () => visit(address)))
      asked += answers.filter(({ headers }) => headers['x-cache'] !== 'HIT').length
      for (const { status, headers, text } of answers) {
        expect([status, headers['cache-control']]).toEqual([200, 'public, no-cache'])
        expect(text).toBe(answers[0]!.text)
      }
    }
  }
  // Those that the site asks for itself, at its start, are not counted.
  const minutes = 1 + Math.ceil((performance.now() - startedAt) / MINUTE_MS)
  expect(asked).toBeLessThanOrEqual(pages * minutes)
  expect(pages).toBeGreaterThan(100)
})

it('a browser that has the page hears from the cache that it is still good', async () => {
  await visit(PAGE)
  const { headers } = await visit(PAGE, { 'Accept-Encoding': 'gzip' })
  const again = await visit(PAGE, { 'Accept-Encoding': 'gzip', 'If-None-Match': headers.etag! })
  expect([again.status, again.headers['x-cache']]).toEqual([304, 'HIT'])
})

it('shows what was published within two seconds after the purge', async () => {
  await visit(PAGE)
  expect(await fateOf(PAGE)).toBe('HIT')
  const client = contentClientOf(product)
  await client.patch('ngo-msf').set({ 'title.es': 'La renombrada' }).commit()
  await shownAfter(product.url + PAGE, 'La renombrada')
  expect(await apartFromWaiting(product, () => shownAfter(cache.url + PAGE, 'La renombrada'))).toBeLessThan(
    2_000,
  )
  await expect.poll(() => fateOf(PAGE), { timeout: 30_000 }).toBe('HIT')
  expect(product.output()).not.toContain('cdn-not-purged')
})

it('no card, nothing that depends on the visitor, and no failure is ever kept', async () => {
  const { privateKey, publicKey } = await buyCard(product)
  const own = [
    `/gift-card/${privateKey}`,
    `/gift-card/${privateKey}/doesnt-exist/final`,
    `/gift-card/${publicKey}`,
    `${cardApi(privateKey)}/full`,
    `${cardApi(publicKey)}/preview`,
    '/',
    '/intro/ngo-list',
    `${PAGE}?lang=fr`,
    '/health/ready',
    '/_local/mail',
  ]
  for (const path of own) for (let n = 0; n < 3; n++) expect(await fateOf(path), path).not.toBe('HIT')
  const kept = cache.kept()
  expect(kept.length).toBeGreaterThan(0)
  for (const file of kept) for (const key of [privateKey, publicKey]) expect(file).not.toContain(key)
  expect((await visit(PAGE, { Cookie: 'drafts=something' })).headers['x-cache']).toBe('BYPASS')
})
