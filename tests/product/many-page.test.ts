import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giftLinkPath, manyPath } from '#paths'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type SoldMany, sellMany } from '#tests/builders/many.ts'
import { startCache, type TemporaryCache } from '#tests/support/nginx.ts'
import { cardApi } from '#tests/support/product/buy.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { WRONG_KEY } from '#tests/support/product/secret-doors.ts'

const { product, environment } = await openProduct({ CARD_KEY_SECRET, TRUSTED_PROXIES: '127.0.0.1' })
const keys = createCardKeys(CARD_KEY_SECRET)
const ROWS = ['Aina Bird', 'Biel Bird', 'Cala Bird'].map(name => ({ name, words: `For ${name} alone` }))
let proxy: TemporaryCache
beforeAll(async () => {
  proxy = await startCache(product.port)
})
afterAll(() => proxy?.stop())

const sold = (): Promise<SoldMany> =>
  environment.database.db.transaction(trx => sellMany(trx, ROWS.length, { keys, rows: ROWS }))
const pathOf = ({ orderId, manyKey }: SoldMany) => manyPath(orderId, manyKey)
const keysOf = ({ cardIds }: SoldMany) => cardIds.map(id => keys.privateKey(id, keys.firstVersion))
const press = (letter: string): string => letter.repeat(40)
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  call(proxy.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
/** Every way in which the page answers its buyer, the links shown first. */
async function everyAnswer(order: SoldMany): Promise<readonly (readonly [string, Answer])[]> {
  const path = pathOf(order)
  const answers: [string, Answer][] = [['open', await call(proxy.url + path)]]
  for (const act of ['show', 'table', 'sheets', 'calendar'])
    answers.push([act, await form(path, { act, press: press('a') })])
  answers.push(['renew-one', await form(path, { act: 'renew-one', press: press('b'), card: '2' })])
  answers.push(['renew-all', await form(path, { act: 'renew-all', press: press('c') })])
  answers.push(['move', await form(path, { act: 'move' })])
  return answers
}

describe('the page of an order of many', () => {
  it('gives the table and the sheets of every card, each with its own link, its name and its word', async () => {
    const order = await sold()
    const shown = await form(pathOf(order), { act: 'show', press: press('a') })
    for (const key of keysOf(order)) expect(shown.text).toContain(key)
    const table = await form(`${pathOf(order)}?lang=en`, { act: 'table', press: press('a') })
    // A spreadsheet reads by its first character that it is UTF-8.
    expect(table.text.startsWith('\uFEFF')).toBe(true)
    const [titles, ...rows] = table.text.trim().split('\r\n')
    expect(titles).toBe('Number,Name,Link,Check word')
    expect(rows.map(row => row.split(',').slice(0, 3))).toEqual(
      keysOf(order).map((key, n) => [
        String(n + 1),
        ROWS[n]!.name,
        expect.stringMatching(new RegExp(`${giftLinkPath({ themeId: 'palestine', language: 'es' }, key)}$`)),
      ]),
    )
    const sheets = await form(pathOf(order), { act: 'sheets', press: press('a') })
    expect([sheets.status, sheets.headers['content-type'], sheets.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ])
  })

  it('shows no link to whoever opens it, however they look', async () => {
    const order = await sold()
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const tail of ['', '?lang=fr', `?act=show&press=${press('a')}`]) {
        const { text } = await call(proxy.url + pathOf(order) + tail, { method })
        for (const key of keysOf(order)) expect(text).not.toContain(key)
      }
    expect((await form(pathOf(order), { act: 'show', press: press('a') })).text).toContain(keysOf(order)[0])
  })

  it('gives a press that comes later neither links nor files', async () => {
    const order = await sold()
    await form(pathOf(order), { act: 'show', press: press('a') })
    for (const act of ['show', 'table', 'sheets']) {
      const { text, headers } = await form(pathOf(order), { act, press: press('b') })
      expect(headers['content-type']).toMatch(/^text\/html/)
      for (const key of keysOf(order)) expect(text).not.toContain(key)
    }
  })

  it('is kept by nobody, listed nowhere, and says to no other site where its visitor was', async () => {
    const order = await sold()
    const everything = await everyAnswer(order)
    for (const [act, { status, headers, text }] of everything) {
      expect(status, act).toBe(200)
      expect(headers['cache-control'], act).toBe('private, no-store')
      expect(headers['x-cache'], act).not.toBe('HIT')
      expect(headers['x-robots-tag'], act).toBe('noindex')
      expect(headers['referrer-policy'], act).toBe('same-origin')
      expect(headers['set-cookie']?.join() ?? '', act).not.toContain(order.manyKey)
      if (!/^text\/html/.test(headers['content-type'] ?? '')) continue
      expect(text, act).toContain('<meta name="robots" content="noindex"')
      // Whatever the page loads comes from this site.
      expect(headers['content-security-policy'], act).toMatch(/default-src 'none'/)
      expect(text, act).not.toMatch(/rel="canonical"|property="og:url"/)
    }
    for (const file of ['/robots.txt', '/sitemap.xml'])
      expect((await call(product.url + file)).text).not.toMatch(/\/many\//)
    for (const kept of proxy.kept())
      for (const secret of [order.manyKey, ...keysOf(order)]) expect(kept).not.toContain(secret)
  })

  it('obeys no form of another site', async () => {
    const order = await sold()
    for (const headers of [{ Origin: 'https://elsewhere.example' }, { 'Sec-Fetch-Site': 'cross-site' }])
      for (const act of ['show', 'renew-all', 'table', 'move']) {
        const { status, text } = await form(pathOf(order), { act, press: press('a') }, headers)
        expect(status, act).toBe(403)
        for (const key of keysOf(order)) expect(text).not.toContain(key)
      }
    expect((await call(`${product.url}${cardApi(keysOf(order)[0]!)}/full`)).status).toBe(200)
    expect((await call(proxy.url + pathOf(order))).text).toContain('data-state="unseen"')
  })

  it('opens by the key of its own order alone, the same for every wrong one', async () => {
    const [order, other] = [await sold(), await sold()]
    const missing = await call(proxy.url + manyPath('a'.repeat(26), WRONG_KEY))
    for (const wrong of [WRONG_KEY, other.manyKey, keys.withdrawalKey(order.orderId, 1), keysOf(order)[0]!]) {
      const { status, text } = await call(proxy.url + manyPath(order.orderId, wrong))
      expect(status).toBe(404)
      expect(text.replaceAll(wrong, '').replaceAll(order.orderId, '')).toBe(
        missing.text.replaceAll(WRONG_KEY, '').replaceAll('a'.repeat(26), ''),
      )
    }
  })

  it('leaves no key in the log, nor in any table', async () => {
    const order = await sold()
    await everyAnswer(order)
    await environment.noWorkLeft()
    const renewed = order.cardIds.flatMap(id => [1, 2, 3].map(version => keys.privateKey(id, version)))
    const pages = [1, 2].map(version => keys.manyKey(order.orderId, version))
    const dump = await environment.dump()
    expect(product.output()).toContain('"event":"mail-sent"')
    for (const secret of [...renewed, ...pages]) {
      expect(product.output()).not.toContain(secret)
      expect(dump).not.toContain(secret)
    }
    for (const { name, words } of ROWS)
      for (const said of [name, words]) expect(product.output()).not.toContain(said)
    const mail = (await environment.mails()).find(({ text }) => text.includes(pages[1]!))
    for (const secret of renewed) expect(mail!.text).not.toContain(secret)
  })
})
