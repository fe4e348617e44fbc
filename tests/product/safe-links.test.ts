import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '#domain/limits/limits.ts'
import {
  cardPath,
  giftLinkPath,
  LAST_DAY_PATH,
  PRINT_PATH,
  photoBookPath,
  volunteeringCardPath,
} from '#paths'
import { buyThroughApi, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { type LoggingProxy, startLoggingProxy } from '#tests/support/nginx.ts'
import { cardApi, selectionOf } from '#tests/support/product/buy.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { WRONG_KEY } from '#tests/support/product/secret-doors.ts'

const { product, environment } = await openProduct({ RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' })
const site = { ...product, dataDir: environment.dataDir, logFile: '' }
let proxy: LoggingProxy
beforeAll(async () => {
  proxy = await startLoggingProxy(product.port)
})
afterAll(() => proxy?.stop())

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const cookiesIn = ({ headers }: Answer) => (headers['set-cookie'] ?? []).map(line => line.split(';', 1)[0]!)

/** A browser, as far as a link goes: it keeps cookies, says where it comes from, and sends nothing behind `#`. */
function visitor(address: string) {
  const jar = new Map<string, string>()
  let at = ''
  const send = async (path: string, options: Parameters<typeof call>[1] = {}) => {
    const headers = {
      'X-Forwarded-For': address,
      ...(jar.size > 0 && { Cookie: [...jar].map(pair => pair.join('=')).join('; ') }),
      ...(at && { Referer: at }),
      ...options.headers,
    }
    const answer = await call(proxy.url + path.split('#', 1)[0]!, { ...options, headers })
    for (const pair of cookiesIn(answer)) {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(pair)!
      jar.set(name, value)
    }
    return answer
  }
  return {
    jar,
    send,
    /** Opens a page and stands there. */
    async open(path: string) {
      const answer = await send(path)
      at = proxy.url + path.split('#', 1)[0]!
      return answer
    },
    form: (path: string, fields: Record<string, string>) =>
      send(path, { method: 'POST', headers: FORM, body: new URLSearchParams(fields).toString() }),
    trade: (link: string) =>
      send('/api/gift-card/open', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ link }) }),
  }
}

const OF_HANDLE = /^\/gift-card(?:-volunteering)?\/(0[a-z2-7]{31})(?:\/[\w-]+)*(?:#passport)?$/
const handleIn = (path: unknown): string => OF_HANDLE.exec(String(path))?.[1] ?? `no handle in ${path}`

describe('from a link of the new form to the thanks', () => {
  it('no key stands in a request line, a referrer, a cookie, a redirect or our own log', async () => {
    const gift = { themeId: 'ukraine', language: 'es' } as const
    const card = await buyThroughApi(site, { theme: 'ukraine' })
    const split = await buyThroughApi(site)
    const { key } = await inviteThroughApi(site)
    const loggedBefore = product.output().length

    const ana = visitor('192.0.2.1')
    expect((await ana.open(giftLinkPath(gift, card.privateKey))).status).toBe(200)
    const traded = await ana.trade(`#${card.privateKey}`)
    expect(traded.status).toBe(200)
    const { to } = traded.json()
    const handle = handleIn(to)
    for (const screen of [
      'introduction',
      'introduction-1',
      'introduction-8',
      'select-ngo',
      'doesnt-exist',
      'x',
    ])
      expect([200, 302]).toContain((await ana.open(cardPath(handle, screen))).status)
    expect((await ana.open(String(to))).text).not.toContain(card.privateKey)
    expect((await ana.send(`${cardApi(handle)}/full`)).json()).toMatchObject({
      giftcard: { theme: 'ukraine' },
    })
    for (const path of [PRINT_PATH, LAST_DAY_PATH])
      expect((await ana.form(path, { key: handle })).status, path).toBe(200)
    const review = await ana.form(cardPath(handle, 'select-ngo'), { 'points-ngo-msf': '50', step: 'review' })
    expect(review.status).toBe(200)
    const given = await ana.send(cardApi(handle), {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify(selectionOf({ 'ngo-msf': 50 })),
    })
    expect(given.json()).toMatchObject({ allocations: [{ ngoSelected: 'ngo-msf' }] })
    expect((await ana.open(cardPath(handle, 'consumed'))).status).toBe(200)

    // The preview, an invitation, and the form without scripts.
    const preview = handleIn((await ana.trade(`#${card.publicKey}`)).json().to)
    expect((await ana.open(cardPath(preview, 'introduction-1', 'preview'))).status).toBe(200)
    expect(handleIn((await ana.trade(`#${card.publicKey}/passport`)).json().to)).toBe(preview)
    const invitation = handleIn((await ana.trade(`#${key}`)).json().to)
    for (const screen of ['introduction', 'introduction-10'])
      expect((await ana.open(volunteeringCardPath(invitation, screen))).status).toBe(200)
    const api = `/api/ajuda/giftcard-volunteering/${invitation}`
    for (const path of [api, `${api}/calendar?day=2027-05-01`, `${api}/photo-book`])
      expect((await ana.send(path)).status, path).toBe(200)
    expect([200, 503]).toContain((await ana.send(photoBookPath(invitation, 'es'))).status)
    const pasted = await ana.form('/g', { link: `https://gifts.example/g#${split.privateKey}` })
    expect(pasted.status).toBe(303)
    const ofSplit = handleIn(pasted.headers.location)
    const fields = { 'points-ngo-msf': '50', step: 'confirm' }
    expect((await ana.form(cardPath(ofSplit, 'select-ngo'), fields)).status).toBe(200)
    // Wrong ones too, and what a visitor of another browser is led to.
    for (const link of [`${card.privateKey}x`, `#${card.privateKey} x`]) await ana.trade(link)
    expect((await visitor('192.0.2.2').open(cardPath(ofSplit))).headers.location).toBe('/g')

    const logged = proxy.log()
    expect(logged).toContain(`"POST ${cardApi(handle)} HTTP/1.1"`)
    expect(logged).toContain('/g/ukraine/es')
    const said = { proxy: logged, site: product.output().slice(loggedBefore) }
    for (const secret of [card.privateKey, card.publicKey, split.privateKey, key])
      for (const [who, text] of Object.entries(said))
        expect(text.toLowerCase().includes(secret), `${who} tells a key`).toBe(false)

    // The log does hold what a request says: a link of the old form is in it.
    await ana.open(cardPath(card.privateKey))
    expect(proxy.log()).toContain(card.privateKey)
  })
})

describe('a handle', () => {
  it('opens nothing in a browser that does not hold it, by no door', async () => {
    const { privateKey } = await buyThroughApi(site)
    const holder = visitor('192.0.2.3')
    await holder.open('/g')
    const handle = handleIn((await holder.trade(privateKey)).json().to)
    const other = visitor('192.0.2.4')
    expect((await other.open(cardPath(handle, 'select-ngo'))).headers.location).toBe('/g')
    expect((await other.send(`${cardApi(handle)}/full`)).status).toBe(404)
    const body = JSON.stringify(selectionOf({ 'ngo-msf': 50 }))
    expect((await other.send(cardApi(handle), { method: 'POST', headers: JSON_TYPE, body })).status).toBe(404)
    for (const path of [PRINT_PATH, LAST_DAY_PATH])
      expect((await other.form(path, { key: handle })).status).toBe(404)
    expect((await other.trade(handle)).status).toBe(404)
    expect((await holder.send(`${cardApi(handle)}/full`)).json()).toMatchObject({
      giftcard: { consumed: false },
    })
  })

  it('is not given to a browser that refuses cookies, which is led to the address with the key', async () => {
    const { privateKey, publicKey } = await buyThroughApi(site)
    const refusing = visitor('192.0.2.5')
    const { text, headers } = await refusing.trade(`#${privateKey}`)
    expect(JSON.parse(text)).toEqual({ to: cardPath(privateKey, 'introduction-1') })
    expect(headers['set-cookie']).toBeUndefined()
    const form = await refusing.form('/g/palestine/es', { link: publicKey })
    expect(form.headers.location).toBe(cardPath(publicKey, 'introduction-1', 'preview'))
  })

  it('shows the same page as the key does', async () => {
    const { privateKey } = await buyThroughApi(site, { sender: 'Íñigo' })
    const browser = visitor('192.0.2.6')
    await browser.open('/g')
    const handle = handleIn((await browser.trade(privateKey)).json().to)
    for (const screen of ['introduction-1', 'introduction-7'])
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'Accept-Encoding': encoding }
        const [byHandle, byKey] = await Promise.all(
          [handle, privateKey].map(name => browser.send(cardPath(name, screen), { headers })),
        )
        expect(byHandle!.headers['content-length'], screen).toBe(byKey!.headers['content-length'])
        if (encoding === 'identity') expect(byHandle!.text.replaceAll(handle, privateKey)).toBe(byKey!.text)
      }
  })
})

describe('the page behind a link', () => {
  it('unfolds as the page of the card does, in its theme, its language and its kind', async () => {
    const order = { theme: 'christmas', language: 'fr' } as const
    const { privateKey } = await buyThroughApi(site, order)
    const { key } = await inviteThroughApi(site, order)
    const previewOf = async (path: string) =>
      [
        ...(await visitor('192.0.2.7').open(path)).text.matchAll(
          /<meta (?:property="og|name="twitter)[^>]*>/g,
        ),
      ]
        .map(([tag]) => tag)
        .join('\n')
    const gift = { themeId: 'christmas', language: 'fr' } as const
    const ofLink = await previewOf(giftLinkPath(gift, privateKey))
    expect(ofLink).toContain('/og/christmas-fr.png')
    expect(ofLink).toBe(await previewOf(cardPath(privateKey, 'introduction-1')))
    const ofInvitation = await previewOf(giftLinkPath({ ...gift, kind: 'volunteering' }, key))
    expect(ofInvitation).toContain('/og/invitation-christmas-fr.png')
    expect(ofInvitation).toBe(await previewOf(volunteeringCardPath(key)))
  })

  it.each(['/g', '/g/palestine', '/g/palestine/es', '/g/nothing/xx/what', '/g/a/b/c/d', '/g/%C3%A9'])(
    'stands at %s too, kept by nobody and listed nowhere',
    async path => {
      const { status, headers, text } = await visitor('192.0.2.8').open(path)
      expect([status, headers['cache-control'], headers['x-robots-tag']]).toEqual([
        200,
        'private, no-store',
        'noindex',
      ])
      expect(text).toContain('data-screen="open-gift"')
    },
  )

  it('takes a link from our own pages alone', async () => {
    const { privateKey } = await buyThroughApi(site)
    for (const path of ['/g', '/api/gift-card/open'])
      for (const headers of [{ Origin: 'https://elsewhere.example' }, { 'Sec-Fetch-Site': 'cross-site' }]) {
        const isForm = path === '/g'
        const body = isForm ? `link=${privateKey}` : JSON.stringify({ link: privateKey })
        const type = isForm ? FORM : JSON_TYPE
        const answer = await visitor('192.0.2.9').send(path, {
          method: 'POST',
          headers: { ...type, ...headers },
          body,
        })
        expect(answer.status, path).toBe(403)
        expect(answer.headers.location).toBeUndefined()
        expect(cookiesIn(answer).filter(cookie => cookie.includes('gift-'))).toEqual([])
      }
  })

  it('counts wrong links with all other wrong keys, and still opens a right one', async () => {
    const { privateKey } = await buyThroughApi(site)
    const guesser = visitor('192.0.2.10')
    const guesses = [
      () => guesser.trade(`#${WRONG_KEY}`),
      () => guesser.form('/g', { link: WRONG_KEY }),
      () => guesser.send(`${cardApi(WRONG_KEY)}/full`),
    ]
    const startedAt = performance.now()
    let tried = 0
    while ((await guesses[tried % 3]!()).status === 404) tried++
    const { uses, perMs } = LIMITS['card-miss']
    expect(tried).toBeLessThanOrEqual(uses + Math.ceil(((performance.now() - startedAt) / perMs) * uses))
    for (const guess of guesses) expect((await guess()).status).toBe(429)
    expect((await guesser.trade(privateKey)).status).toBe(200)
  })
})

// Last, since nothing answers any more.
describe('a server that crashes under links that are opened', () => {
  it('leaves no key in its last words, in a file, or in what nginx writes of it', async () => {
    const cards = [await buyThroughApi(site), await buyThroughApi(site)]
    const ana = visitor('192.0.2.10')
    const before = { log: proxy.log().length, said: product.output().length }
    const open = () =>
      cards.map(({ privateKey }) =>
        ana.trade(`#${privateKey}`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
    const during = open()
    process.kill(product.pid, 'SIGABRT')
    await Promise.all(during)
    await product.kill()
    expect(await Promise.all(open())).toEqual([502, 502])
    const written = {
      'the log of nginx': proxy.log().slice(before.log),
      'the errors of nginx': proxy.errors(),
      'the last words': product.output().slice(before.said),
    }
    expect(written['the errors of nginx']).toContain('POST /api/gift-card/open')
    for (const { privateKey, publicKey } of cards)
      for (const secret of [privateKey, publicKey])
        for (const [who, text] of Object.entries(written))
          expect(text.toLowerCase().includes(secret), `${who} tells a key`).toBe(false)
    // A report of the process, or its memory, would hold keys.
    const files = readdirSync('.').filter(name => /^(report\.|core(\.|$))|\.heapsnapshot$/.test(name))
    expect(files).toEqual([])
  })
})
