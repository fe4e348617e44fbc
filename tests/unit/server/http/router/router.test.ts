import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGate, mountAll } from '#server/app/stand-ins-gate.ts'
import type { Mount } from '#server/http/transport/mounts.ts'
import { FOR_GERMAN } from '#tests/support/languages.ts'
import { type Answer, FILLER, type RunningFront, SITE, startFakeFront } from '../fake-router.ts'

const localMount: Mount = {
  audience: 'buyers',
  matches: pathname => pathname.startsWith('/_local/'),
  async handle(request) {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/_local/plain') return new Response('plain')
    if (pathname === '/_local/away') return Response.redirect(`${SITE}/done`, 303)
    return new Response(`${request.method} ${pathname}${search} ${await request.text()}`, {
      headers: {
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'x-frame-options': 'kept',
      },
    })
  },
}

let front: RunningFront
beforeAll(async () => {
  const operator = { login: 'open' as const, isOperator: async () => false }
  const site = new URL(SITE)
  const gate = createGate({ site, operator, production: false, demonstration: true })
  front = await startFakeFront({ mounts: mountAll([localMount], gate) })
})
afterAll(() => front.server.stop(0))
afterEach(() => {
  front.astro.broken.clear()
  front.astro.away.clear()
  front.astro.asked.length = 0
  front.logged.length = 0
})

const languageOf = ({ text }: Answer): string | undefined => /<html lang="(..)">/.exec(text)?.[1]

describe('published pages', () => {
  it.each([
    ['unprefixed, for a browser in French', '/', { 'accept-language': 'fr-CA, en;q=0.5' }, 'fr'],
    ['unprefixed, for one in German', '/', { 'accept-language': 'de' }, FOR_GERMAN],
    ['unprefixed, remembered', '/intro/ngo-list', { cookie: 'a=1; lang=es', 'accept-language': 'fr' }, 'es'],
    ['unprefixed, asked for', '/intro/ngo-list?lang=fr', { cookie: 'lang=es' }, 'fr'],
    ['an unknown ad code', '/summer', { 'accept-language': 'es' }, 'es'],
    ['prefixed', '/fr/intro/ngo-list', { cookie: 'lang=es', 'accept-language': 'en' }, 'fr'],
    ['prefixed, another asked for', '/es/intro/ngo-list?lang=fr', {}, 'fr'],
    ['prefixed, rubbish asked for', '/es/intro/ngo-list?lang=xx', {}, 'es'],
  ] as const)('%s, come in the right language at once', async (_what, path, headers, language) => {
    const answer = await front.get(path, headers)
    expect(answer.status).toBe(200)
    expect(languageOf(answer)).toBe(language)
  })

  it('at their own address may be kept by anybody who asks again; the chosen ones only by the browser', async () => {
    const canonical = await front.get('/es/intro/ngo-list')
    expect(canonical.headers).toMatchObject({ 'cache-control': 'public, no-cache', vary: 'Accept-Encoding' })
    const chosen = await front.get('/intro/ngo-list', { cookie: 'lang=es' })
    expect(chosen.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'Cookie, Accept-Language, Accept-Encoding',
    })
    expect(chosen.raw).toEqual(canonical.raw)
    expect((await front.get('/es/intro/ngo-list?lang=fr')).headers['cache-control']).toBe('private, no-cache')
  })

  it('remember the language only when it was asked for', async () => {
    expect((await front.get('/?lang=fr')).headers['set-cookie']).toEqual([
      'lang=fr; Max-Age=31536000; Path=/; Secure; SameSite=Lax',
    ])
    expect((await front.get('/?lang=xx')).headers['set-cookie']).toBeUndefined()
    expect((await front.get('/fr')).headers['set-cookie']).toBeUndefined()
  })

  it('after a payment are kept nowhere and listed nowhere', async () => {
    for (const path of ['/intro/no-refresh/checkout?session_id=cs_x', '/es/intro/no-refresh/checkout']) {
      const { headers } = await front.get(path)
      expect(headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
      expect(headers.etag).toBeUndefined()
    }
    expect((await front.get('/intro/ngo-list')).headers['x-robots-tag']).toBeUndefined()
  })

  it('never reach Astro', async () => {
    await front.get('/es/intro/ngo-list')
    await front.get('/intro/ngo-list?lang=fr')
    expect(front.astro.asked).toEqual([])
  })
})

describe('what is held in memory', () => {
  it.each(['br', 'gzip', 'identity'] as const)('comes as %s where that is accepted', async encoding => {
    for (const path of ['/_astro/x.js', '/es/intro/ngo-list', '/gift-card/abc/introduction']) {
      const answer = await front.get(path, { 'accept-encoding': encoding })
      expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
      expect(answer.headers.vary).toContain('Accept-Encoding')
      expect(answer.headers['content-length']).toBe(String(answer.raw.length))
      expect(answer.text).toContain(path === '/_astro/x.js' ? 'export const x' : FILLER)
    }
  })

  it('answers 304 to who has it, in whatever coding, and 200 to who has something else', async () => {
    for (const path of ['/_astro/x.js', '/es/intro/ngo-list', '/intro/ngo-list']) {
      const etag = (await front.get(path, { 'accept-encoding': 'br' })).headers.etag ?? ''
      expect(etag).toMatch(/^".+-br"$/)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await front.get(path, { 'if-none-match': known, 'accept-encoding': 'gzip' })
        expect(answer.status).toBe(304)
        expect(answer.raw).toHaveLength(0)
        expect(answer.headers['content-length']).toBeUndefined()
        expect(answer.headers['cache-control']).toBeDefined()
      }
      expect((await front.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('says in a HEAD what a GET would, without the body', async () => {
    for (const path of [
      '/_astro/x.js',
      '/es/intro/ngo-list',
      '/gift-card/abc/introduction',
      '/health/live',
      '/nothing.png',
    ]) {
      const get = await front.get(path)
      const head = await front.send('HEAD', path)
      expect(head.raw).toHaveLength(0)
      expect(head.status).toBe(get.status)
      expect(head.headers['content-length']).toBe(get.headers['content-length'])
      expect(head.headers.etag).toBe(get.headers.etag)
    }
  })

  it('keeps files with a hash in their name for a year', async () => {
    const { headers } = await front.get('/_astro/x.js?v=1')
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    })
  })
})

describe('every response carries the security headers', () => {
  const expected = {
    'strict-transport-security': expect.stringMatching(/^max-age=(\d{8,});/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('geolocation=()'),
    'content-security-policy': expect.stringMatching(/^default-src 'none'(?!.*unsafe)/),
  }

  it.each([
    ['a published page', 'GET', '/es', 200],
    ['a chosen page', 'GET', '/', 200],
    ['a file', 'GET', '/_astro/x.js', 200],
    ['a receiver page', 'GET', '/gift-card/abc/introduction', 200],
    ['a call', 'POST', '/api/echo', 200],
    ['a failed call', 'GET', '/api/refused', 503],
    ['a call that throws', 'GET', '/api/throws', 500],
    ['an unknown call', 'GET', '/api/nothing', 404],
    ['a missing file', 'GET', '/nothing.png', 404],
    ['a missing built file', 'GET', '/_astro/nothing', 404],
    ['an unknown page', 'GET', '/foo/bar', 302],
    ['a slash at the end', 'GET', '/es/', 302],
    ['a wrong method on a page', 'POST', '/es', 405],
    ['a wrong method on a file', 'DELETE', '/_astro/x.js', 405],
    ['a strange method on a call', 'PROPFIND', '/api/echo', 405],
    ['a question for methods', 'OPTIONS', '/gift-card/abc', 204],
    ['health', 'GET', '/health/ready', 200],
    ['an address too long', 'GET', `/${'a'.repeat(5000)}`, 414],
    ['a local mount without a policy', 'GET', '/_local/plain', 200],
    ['a redirect of a local mount', 'GET', '/_local/away', 303],
  ])('%s', async (_what, method, path, status) => {
    const answer = await front.send(method, path, method === 'POST' ? { body: '{}' } : {})
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(expected)
  })

  it('304', async () => {
    const etag = (await front.get('/es')).headers.etag ?? ''
    const answer = await front.get('/es', { 'if-none-match': etag })
    expect(answer.status).toBe(304)
    expect(answer.headers).toMatchObject(expected)
  })

  it('413', async () => {
    const answer = await front.send('POST', '/api/echo', { body: Buffer.alloc(70_000) })
    expect(answer.status).toBe(413)
    expect(answer.headers).toMatchObject(expected)
  })

  it('500 of a page', async () => {
    front.astro.broken.add('/gift-card/abc/introduction')
    const answer = await front.get('/gift-card/abc/introduction')
    expect(answer.status).toBe(500)
    expect(answer.headers).toMatchObject(expected)
  })

  it('500 of a published page whose answer fails at once', async () => {
    const failing = await startFakeFront({
      draftsFor() {
        throw new Error('thrown at once')
      },
    })
    const answer = await failing.get('/es/intro/ngo-list')
    await failing.server.stop(0)
    expect(answer.status).toBe(500)
    expect(answer.headers).toMatchObject(expected)
    expect(failing.logged).toEqual(['request-failed Error: thrown at once'])
  })

  it.each([
    ['what is no HTTP at all', 'nonsense\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a request with two hosts', 'GET / HTTP/1.1\r\nHost: gift.example\r\nhost: evil.example\r\n\r\n', 400],
    ['an expectation of something odd', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\n\r\n', 417],
  ])('%s', async (_what, bytes, status) => {
    const socket = connect(front.port, '127.0.0.1')
    socket.write(bytes)
    const [head = ''] = (await textOf(socket)).split('\r\n\r\n')
    const headers = Object.fromEntries(
      head
        .split('\r\n')
        .slice(1)
        .map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    )
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(headers).toMatchObject(expected)
  })
})

describe('addresses', () => {
  it.each([
    ['/foo/bar?x=1', '/'],
    ['/intro/ngo-list/?x=1', '/intro/ngo-list?x=1'],
    ['/es/', '/es'],
    ['/gift-card-volunteering/abc/introduction', '/'],
  ])('%s leads to %s', async (path, to) => {
    const answer = await front.get(path)
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toBe(to)
  })

  it.each([
    '/_astro/../../../../etc/passwd',
    '/_astro/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/../package.json',
    '/_astro/..\\..\\package.json',
    '/.env',
    '/internal/mail',
    '/%69nternal/mail',
    '//evil.example/',
    '/gift-card/../internal/mail',
    '/gift-card/abc/%2E%2e/%2e%2e/internal/mail',
    '/_local/../internal/mail',
  ])('%s shows nothing', async path => {
    const answer = await front.get(path)
    expect(answer.status).toBe(404)
    expect(answer.text).toBe('Not found\n')
    expect(front.astro.asked).toEqual([])
  })

  it.each(['/api/../internal/mail', '/api/%2e%2e/gift-card/abc', '/api//echo', '/api/x/../echo'])(
    '%s reaches nothing',
    async path => {
      const answer = await front.send('POST', path, { body: '{}' })
      expect(answer.status).toBe(404)
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'not-found' })
      expect(front.astro.asked).toEqual([])
    },
  )

  it('that are no calls are problems with a code', async () => {
    const answer = await front.get('/api/nothing')
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(JSON.parse(answer.text)).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'not-found',
    })
  })

  it('never repeat the host that a visitor writes', async () => {
    const answers = await Promise.all(
      ['/', '/es/', '/foo/bar', '/gift-card/abc', '/api/nothing'].map(path =>
        front.get(path, { host: 'evil.example' }),
      ),
    )
    expect(JSON.stringify(answers.map(({ headers, text }) => [headers, text]))).not.toContain('evil.example')
    expect(front.astro.asked.map(({ host }) => host)).toEqual(['gift.example', 'gift.example'])
  })
})

describe('receiver pages', () => {
  it('get the visitor, the language and the application, and are kept nowhere', async () => {
    const answer = await front.get('/gift-card/abc/introduction?lang=fr', { cookie: 'lang=es' })
    expect(front.astro.asked[0]).toMatchObject({
      url: '/gift-card/abc/introduction?lang=fr',
      locals: { language: 'fr', clientAddress: '127.0.0.1', app: { settings: { siteUrl: SITE } } },
    })
    expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2', expect.stringMatching(/^lang=fr;/)])
    expect(answer.headers.etag).toBeUndefined()
  })

  it('that fail show the error page in the visitor’s language, and keep the key out of the log', async () => {
    front.astro.broken.add('/gift-card/abc/introduction')
    const answer = await front.get('/gift-card/abc/introduction', { cookie: 'lang=fr' })
    expect(answer.status).toBe(500)
    expect(languageOf(answer)).toBe('fr')
    expect(answer.text).toContain('<title>/error')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(front.logged.join()).not.toContain('abc')
  })

  it('that cannot be made just now say so at the same address, and when to try again', async () => {
    front.astro.away.add('/gift-card/abc/introduction')
    const answer = await front.get('/gift-card/abc/introduction', { cookie: 'lang=fr' })
    expect(answer.status).toBe(503)
    expect(answer.headers).toMatchObject({ 'retry-after': '3', 'cache-control': 'private, no-store' })
    expect(answer.headers.location).toBeUndefined()
    expect(languageOf(answer)).toBe('fr')
    expect(answer.text).toContain('<title>/unavailable')
  })

  it('take a form, for recipients without scripts', async () => {
    const answer = await front.send('POST', '/gift-card/abc/select-ngo', { body: 'points=1' })
    expect(answer.status).toBe(200)
    expect(front.astro.asked[0]).toMatchObject({ method: 'POST', body: 'points=1' })
  })
})

describe('calls', () => {
  it('hand the body on', async () => {
    const answer = await front.send('POST', '/api/echo?lang=fr', { body: '{"a":1}' })
    expect(JSON.parse(answer.text)).toEqual({ body: '{"a":1}', language: 'fr' })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['as announced', {}, 64 * 1024 + 1],
    ['in chunks without end', { 'transfer-encoding': 'chunked' }, 1024 * 1024],
    ['far beyond', {}, 20 * 1024 * 1024],
  ])('of more than 64 kB, %s, are refused before Astro', async (_what, headers, size) => {
    const answer = await front
      .send('POST', '/api/echo', { headers, body: Buffer.alloc(size, 'x') })
      .catch(() => undefined)
    // Far beyond, the connection may end before the refusal is read; the call still must not arrive.
    if (size < 8 * 1024 * 1024)
      expect(JSON.parse(answer?.text ?? '')).toMatchObject({ code: 'body-too-large', status: 413 })
    expect(front.astro.asked).toEqual([])
    expect((await front.get('/health/live')).status).toBe(200)
  })

  it('of exactly 64 kB pass', async () => {
    expect((await front.send('POST', '/api/echo', { body: Buffer.alloc(64 * 1024, 'x') })).status).toBe(200)
  })

  it('that fail by themselves keep their problem, thrown ones become one', async () => {
    expect((await front.get('/api/refused')).text).toBe('{"code":"temporarily-unavailable"}')
    const thrown = await front.get('/api/throws')
    expect(JSON.parse(thrown.text)).toMatchObject({ code: 'something-went-wrong', status: 500 })
    expect(thrown.text).not.toContain('ana@')
    expect(front.logged).toHaveLength(1)
  })

  it('name the methods when another is used', async () => {
    expect((await front.send('PROPFIND', '/api/echo')).headers.allow).toContain('POST')
    expect((await front.send('OPTIONS', '/es')).headers.allow).toBe('GET, HEAD, OPTIONS')
  })
})

describe('local mounts', () => {
  it.each(['gift.example', 'GIFT.example', 'localhost:4321', '127.0.0.1', '[::1]:80'])(
    'answer at %s',
    async host => {
      expect((await front.get('/_local/plain', { host })).status).toBe(200)
    },
  )

  it.each([
    'evil.example',
    'gift.example.evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a b',
  ])('are not there at another name: %s', async host => {
    const answer = await front.get('/_local/plain', { host })
    expect([answer.status, answer.text]).toEqual([404, 'Not found\n'])
  })

  it('get the whole request at the site’s own address and keep their own policy', async () => {
    const answer = await front.send('POST', '/_local/x?a=1', { body: 'b=2' })
    expect(answer.text).toBe('POST /_local/x?a=1 b=2')
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'")
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })
})

describe('health', () => {
  it('is alive and ready, and says what is not', async () => {
    expect((await front.get('/health/live')).status).toBe(200)
    expect((await front.get('/health/ready')).text).toBe('ready\n')
  })
})
