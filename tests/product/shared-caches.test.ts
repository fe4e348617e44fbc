import { expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath, PUBLISHED_PAGES } from '#paths'
import { buyCard, cardApi } from '#tests/support/product/buy.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { MARK } from '#tests/support/product/refusal.ts'

const { product } = await openProduct({ TRUSTED_PROXIES: '127.0.0.1' })
const card = await buyCard(product)

const EVIL = `${MARK}.example`
/** What no cache distinguishes pages by, from somebody whom the server takes for its own proxy. */
const POISON: readonly Readonly<Record<string, string>>[] = [
  { Host: EVIL },
  {
    'X-Forwarded-Host': EVIL,
    'X-Forwarded-Proto': MARK,
    'X-Forwarded-Port': '1',
    'X-Forwarded-Prefix': `/${MARK}`,
  },
  { Forwarded: `host=${EVIL};proto=${MARK}`, 'X-Forwarded-Server': EVIL, 'X-Host': EVIL },
  { 'X-Original-Url': `/${MARK}`, 'X-Rewrite-Url': `/${MARK}`, 'X-Forwarded-Path': `/${MARK}` },
  { 'X-Http-Method-Override': 'POST', 'X-Http-Method': 'DELETE', 'X-Method-Override': 'PUT' },
  { Cookie: `lang=fr; operator=${MARK}; drafts=${MARK}; __Host-drafts=${MARK}; given=1` },
  { 'Accept-Language': `${MARK}, fr;q=1, en;q=0.1` },
  {
    'User-Agent': MARK,
    Referer: `http://${EVIL}/`,
    Origin: `http://${EVIL}`,
    Authorization: `Bearer ${MARK}`,
  },
  { 'X-Forwarded-For': `${MARK}, 127.0.0.1`, 'X-Real-Ip': MARK, 'CF-Connecting-IP': MARK, Via: MARK },
]
const PUBLIC_PAGES = PUBLISHED_PAGES.filter(({ noStore }) => !noStore)

/** All that a cache would keep, and hand to others. */
function keptOf({
  status,
  headers: { date: _, connection: __, 'keep-alive': ___, ...headers },
  text,
}: Answer) {
  return { status, headers, text }
}

it('a page that anybody may keep is the same for everybody, whatever the first one sent', async () => {
  for (const { path } of PUBLIC_PAGES) {
    const language = LANGUAGES[path.length % LANGUAGES.length]!
    const address = product.url + localizedPath(language, path)
    const clean = keptOf(await call(address))
    expect(clean.headers['cache-control'], path).toMatch(/^public/)
    expect(clean.headers['set-cookie'], path).toBeUndefined()
    expect(clean.headers.vary, path).toBe('Accept-Encoding')
    for (const headers of POISON) {
      expect(keptOf(await call(address, { headers })), `${path} ${JSON.stringify(headers)}`).toEqual(clean)
    }
  }
})

it('what depends on the visitor is nobody else’s to keep', async () => {
  const own = [
    ...PUBLIC_PAGES.map(({ path }) => path),
    ...PUBLIC_PAGES.map(({ path }) => `${localizedPath('es', path)}?lang=fr`),
    '/encuesta',
  ]
  for (const path of own) {
    for (const headers of POISON) {
      const answer = await call(product.url + path, { headers })
      expect(answer.headers['cache-control'], path).toMatch(/^private/)
      expect(JSON.stringify(answer.headers) + answer.text, path).not.toContain(MARK)
    }
  }
})

it('a redirect leads to the site itself, and is kept by nobody', async () => {
  for (const path of [
    '/es/',
    '/es/intro/',
    '/nowhere/at/all',
    `/gift-card/${card.privateKey}`,
    '/studio-login',
    '/lost-link',
  ]) {
    for (const headers of POISON) {
      const { status, headers: said } = await call(product.url + path, { headers })
      if (status < 300 || status > 399) continue
      expect(said.location, path).toMatch(/^\/(?![/\\])/)
      expect(said.location, path).not.toContain(MARK)
      expect(said['cache-control'] ?? 'no-store', path).not.toMatch(/public|max-age=[1-9]/)
    }
  }
})

it('a private address that ends like a file is still kept by nobody', async () => {
  for (const tail of ['/x.css', '/x.js', '.css', '%2Fx.css', ';x.css', '/..%2Fx.png', '?x.css', '%00.css']) {
    for (const path of [
      `/gift-card/${card.privateKey}/select-ngo/final`,
      `${cardApi(card.privateKey)}/full`,
      '/api/operator/summary',
    ]) {
      const answer = await call(product.url + path + tail)
      expect(answer.status, path + tail).toBeLessThan(500)
      expect(answer.headers['cache-control'] ?? 'no-store', path + tail).not.toMatch(/public|max-age=[1-9]/)
    }
  }
})
