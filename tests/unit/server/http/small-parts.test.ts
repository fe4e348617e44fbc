import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { masked } from '#domain/analytics/masked.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { cardPath, localizedPath, PUBLISHED_PAGES, parsePath, senderPath } from '#paths'
import { createHealth } from '#server/http/health.ts'
import { pagePolicy } from '#server/http/page-cache/page-policy.ts'
import { hashSmallTextsAtOnce } from '#server/http/page-cache/sync-digests.ts'
import { rememberLanguage, visitorLanguage } from '#server/http/router/visitor-language.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import { compressOnce, preferredEncoding } from '#server/http/transport/encodings.ts'
import { createOwnOrigin } from '#server/http/transport/own-origin.ts'
import { createLog } from '#server/platform/log.ts'
import { FOR_GERMAN } from '#tests/support/languages.ts'

describe('paths', () => {
  it('of published pages are parsed back into language and path', () => {
    for (const language of LANGUAGES) {
      for (const { path } of PUBLISHED_PAGES)
        expect(parsePath(localizedPath(language, path))).toEqual({ language, rest: path })
    }
  })

  it('that only begin like a prefix have none', () => {
    expect(parsePath('/essay')).toEqual({ rest: '/essay' })
    expect(parsePath('/friends/es')).toEqual({ rest: '/friends/es' })
  })

  it('lead to screens and cards', () => {
    expect(senderPath('fr', 'packages-donation')).toBe('/fr/intro/packages-donation')
    expect(cardPath('abc')).toBe('/gift-card/abc/introduction/final')
    expect(cardPath('abc', 'select-ngo', 'preview')).toBe('/gift-card/abc/select-ngo/preview')
  })
})

describe('the preferred encoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=1.0', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['identity', 'identity'],
    ['zstd', 'identity'],
    ['gzip;q=oops', 'identity'],
    ['br, identity', 'br'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0', 'identity'],
  ] as const)('for %s is %s', (header, expected) => {
    expect(preferredEncoding(header)).toBe(expected)
    expect(preferredEncoding(header)).toBe(expected)
  })

  it('finds bytes that give the same text back', async () => {
    const text = Buffer.from('<p>Mantén la cadena</p>'.repeat(100))
    const bodies = await compressOnce(text, 'text/html; charset=utf-8')
    expect(brotliDecompressSync(bodies.br ?? '')).toEqual(text)
    expect(gunzipSync(bodies.gzip ?? '')).toEqual(text)
    expect(await compressOnce(text, 'image/png')).toEqual({ identity: text })
  })
})

describe('the address of a visitor', () => {
  const from = (peer: string, forwarded?: string, trusted: string[] = ['10.0.0.0/8', '::1']): string =>
    createClientAddress(trusted)({
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as never)

  it.each([
    [
      'a peer that is no proxy is the visitor, whatever it says',
      '203.0.113.9',
      '198.51.100.1',
      '203.0.113.9',
    ],
    ['a trusted proxy names the visitor', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    [
      'what a visitor writes before the proxy is not believed',
      '10.1.2.3',
      '1.1.1.1, 198.51.100.1',
      '198.51.100.1',
    ],
    ['a chain of trusted proxies is walked outwards', '10.1.2.3', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['IPv4 inside IPv6 is IPv4', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['rubbish stops the walk at the proxy', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['nothing said leaves the proxy', '::1', undefined, '::1'],
    [
      'rubbish behind a trusted proxy stops the walk there',
      '10.1.2.3',
      '8.8.8.8, unknown, 10.9.9.9',
      '10.9.9.9',
    ],
    ['a connection that is gone has no address', undefined as never, '198.51.100.1', ''],
  ])('%s', (_what, peer, forwarded, expected) => {
    expect(from(peer, forwarded)).toBe(expected)
  })

  it('believes nobody by default', () => {
    expect(from('127.0.0.1', '198.51.100.1', [])).toBe('127.0.0.1')
  })

  it('refuses a proxy that is no address', () => {
    expect(() => createClientAddress(['proxy.local'])).toThrow(RangeError)
    for (const network of ['10.0.0.0/', '10.0.0.0/33', '10.0.0.0/8/9', '::1/129'])
      expect(() => createClientAddress([network])).toThrow(/^TRUSTED_PROXIES: /)
  })
})

describe('digests made at once', () => {
  it.each([0, 1, 1_000, 64 * 1024, 64 * 1024 + 1])('are those of WebCrypto, for %i bytes', async size => {
    const bytes = new TextEncoder().encode('é'.repeat(size)).subarray(0, size)
    const expected = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const subtle = { digest: crypto.subtle.digest.bind(crypto.subtle) } as SubtleCrypto
    hashSmallTextsAtOnce(subtle)
    expect(new Uint8Array(await subtle.digest('SHA-256', bytes))).toEqual(expected)
    expect(new Uint8Array(await subtle.digest('SHA-256', bytes.slice().buffer))).toEqual(expected)
    expect((await subtle.digest('SHA-512', bytes)).byteLength).toBe(64)
  })
})

describe('readiness', () => {
  it('names what fails, throws or hangs, and does not wait for it', async () => {
    const checks = {
      good: () => true,
      failing: () => false,
      throwing: () => Promise.reject(new Error('away')),
      hanging: () => new Promise<boolean>(() => {}),
    }
    const answer = await createHealth(checks, 20)('/health/ready')
    expect(answer).toMatchObject({ status: 503, body: 'not ready: failing, throwing, hanging\n' })
  })
})

describe('the log', () => {
  const key = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrstuvwxyz234567'

  it('masks card keys, session ids, secrets and addresses, also within words and URLs', async () => {
    const { KEY_LENGTH } = await import('#domain/card/keys.ts')
    const card = key.slice(0, KEY_LENGTH)
    const text = `at /gift-card/${card}/introduction?session_id=cs_test_a1B2, to ana+x@mail.example, sk_live_123 and ana%40mail.example`
    expect(masked(text)).toBe(
      'at /gift-card/[key]/introduction?session_id=[session], to [address], [secret] and [address]',
    )
  })

  it('masks a key in any case, as keyboards and mail programs may write it', async () => {
    const { KEY_LENGTH } = await import('#domain/card/keys.ts')
    const card = key.slice(0, KEY_LENGTH)
    const capitalised = card[0]?.toUpperCase() + card.slice(1)
    for (const written of [
      card.toUpperCase(),
      capitalised,
      `${card.slice(0, 16)}${card.slice(16).toUpperCase()}`,
    ])
      expect(masked(`/gift-card/${written}/thanks`)).toBe('/gift-card/[key]/thanks')
    expect(masked(`next=%2F${card.toUpperCase()}%2Fthanks`)).toBe('next=%2F[key]%2Fthanks')
    expect(masked('ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF')).toBe('[key]')
    const groups = card.match(/.{4}/g)!
    for (const between of [' ', '-', ' – ', '%20'])
      expect(masked(`at /gift-card/${groups.join(between)}, twice`)).toBe('at /gift-card/[key], twice')
  })

  it('masks a key however it is broken or coded, since every door reads it so', async () => {
    const { KEY_LENGTH, readKey } = await import('#domain/card/keys.ts')
    const card = key.slice(0, KEY_LENGTH)
    const inGroupsOf = (size: number, between: string) =>
      card.match(new RegExp(`.{1,${size}}`, 'g'))!.join(between)
    const breaks = ['-', '–', '\u2212', '\u200b', '\u00ad', '\u2060', '\ufeff']
    const spaces = [' ', '    ', '\n', '\t', '\u00a0', '\u2009']
    const written = [
      ...breaks.flatMap(between => [3, 4, 5, 7, 8, 11].map(size => inGroupsOf(size, between))),
      ...spaces.flatMap(between => [2, 4, 8, 16].map(size => inGroupsOf(size, between))),
      [...card].map(letter => `%${letter.charCodeAt(0).toString(16)}`).join(''),
      card.replace('o', '%6F').replace('3', '%33'),
    ]
    for (const each of written) {
      const decoded = decodeURIComponent(each)
      if (decoded.length <= 128) expect(readKey(decoded), JSON.stringify(each)).toBe(card)
      for (const text of [each, each.includes('%') ? each : encodeURIComponent(each)])
        expect(masked(`at /gift-card/${text}/thanks`), JSON.stringify(text)).toBe(
          'at /gift-card/[key]/thanks',
        )
    }
  })

  it('takes a time that grows as the text does, however nearly the text is a key', () => {
    const nearly = ['\ufeff', '\u00a0', '+', '%C2%A0', '\u00ad', '-', '%EF%BB%BF'].flatMap(between => [
      'abcd'.concat(between.repeat(12)).repeat(2_000),
      'a'.concat(between.repeat(3)).repeat(5_000),
      `${'ab'.concat(between.repeat(4)).repeat(4_000)}!`,
    ])
    const timeOf = (text: string) => {
      const started = process.cpuUsage().user
      masked(text)
      return process.cpuUsage(undefined).user - started
    }
    for (const text of nearly) {
      const [one, four] = [timeOf(text.slice(0, text.length / 4)), timeOf(text)]
      expect(four, JSON.stringify(text.slice(0, 40))).toBeLessThan(8 * Math.max(one, 20_000))
    }
  })

  it('masks a key at the beginning of a line of a stack', async () => {
    const { KEY_LENGTH } = await import('#domain/card/keys.ts')
    const lines: string[] = []
    const card = key.slice(0, KEY_LENGTH)
    createLog(line => lines.push(line)).error('failed', new Error(`at\n${card}\n\t${card}`), {
      url: `\n${card.match(/.{4}/g)!.join('\n')}`,
    })
    expect(lines.join()).toMatch(/\[key\]/)
    expect(lines.join()).not.toContain(card.slice(0, 4))
  })

  it('leaves sentences, paths and names of files as they are', () => {
    for (const text of [
      'the product did not start again because another program listens there already',
      'tests/e2e/studio-troubles-the-studio-goes-on-by-itself-after-the-server-was-killed',
      'payment-not-completed, price-not-listed and links-by-mail are three of its words',
      '/en/intro/donation-packages-support-amount',
    ])
      expect(masked(text)).toBe(text)
  })

  it('masks every spelling of an address, and leaves what follows it', () => {
    for (const [text, shown] of [
      ['%40a%40b.example', '[address]'],
      ['ana@one.example&bea@two.example', '[address][address]'],
      ['ana@one.example/path?q=1', '[address]/path?q=1'],
      ['@ana@one.example', '@[address]'],
      ['ana%40b%C3%BCcher.example', '[address]'],
      ['ana@bücher.example', '[address]'],
      ['<ana@one.example>, (bea@two.example)', '<[address]>, ([address])'],
      ['no@dot and @nobody.example and 100%', 'no@dot and @nobody.example and 100%'],
      ['@@@%40%40', '@@@%40%40'],
    ] as const)
      expect(masked(text)).toBe(shown)
  })

  it('masks a key behind a slash that is written for an address', async () => {
    const { KEY_LENGTH } = await import('#domain/card/keys.ts')
    expect(masked(`next=%2Fgift-card%2F${key.slice(0, KEY_LENGTH)}%2Fthanks`)).toBe(
      'next=%2Fgift-card%2F[key]%2Fthanks',
    )
  })

  it('masks a key in upper case, which opens its card as well', async () => {
    const { KEY_LENGTH } = await import('#domain/card/keys.ts')
    const upper = key.slice(0, KEY_LENGTH).toUpperCase()
    expect(masked(`at /gift-card/${upper}, ${upper}`)).toBe('at /gift-card/[key], [key]')
  })

  it('leaves a JSON text one that can be read', () => {
    for (const text of ['ana@example.org"', '"ana@example.org\\"', '\nana@example.org\n', 'x\\@y.org\t"'])
      expect(() => JSON.parse(masked(JSON.stringify({ text })))).not.toThrow()
  })

  it('leaves the names of errors readable', () => {
    const name = 'StripeSignatureVerificationErrorOfSomeKind'.slice(0, 32)
    expect(masked(`${name}: refused`)).toBe(`${name}: refused`)
  })

  it('writes one JSON object per line, with errors and their causes', () => {
    const lines: string[] = []
    const log = createLog(
      line => lines.push(line),
      () => 0,
    )
    log.info('started', { port: 1 })
    log.error('failed', new Error('no mail to ana@mail.example', { cause: new Error('deep') }), { job: 'x' })
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'info',
      event: 'started',
      port: 1,
    })
    const failed = JSON.parse(lines[1] ?? '')
    expect(failed).toMatchObject({ level: 'error', event: 'failed', job: 'x' })
    expect(failed.error).toMatch(/no mail to \[address\][\s\S]*caused by Error: deep/)
  })
})

describe('the policy of a page', () => {
  const hashOf = async (text: string) => {
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(text))
    return `'sha256-${Buffer.from(digest).toString('base64')}'`
  }
  const rendered = (html: string, policy?: string) => ({
    status: 200,
    headers: policy === undefined ? {} : { 'content-security-policy': policy },
    body: Buffer.from(html),
    unmatched: false,
  })

  it('keeps the hashes of what stands in the page, drops the others and adds none', async () => {
    const [here, style, elsewhere] = await Promise.all(['go()', 'p{}', 'other()'].map(hashOf))
    const page = '<style>p{}</style><script>go()</script><script>evil()</script><script src="/a.js"></script>'
    const policy = pagePolicy(
      rendered(page, `default-src 'none';script-src 'self' ${here} ${elsewhere}; style-src 'self' ${style};`),
    )
    expect(policy).toBe(`default-src 'none'; script-src 'self' ${here}; style-src 'self' ${style}`)
  })

  it('is the strictest where Astro gave none', () => {
    expect(pagePolicy(rendered('<p>'))).toContain("default-src 'none'")
  })
})

describe('the language of a request', () => {
  it.each([
    ['the query beats all', { query: '?lang=fr', path: 'es', cookieHeader: 'lang=en' }, 'fr', true],
    ['German in the query is read as the site can', { query: '?a=1&lang=de-AT' }, FOR_GERMAN, true],
    ['an unknown query is passed over', { query: '?lang=xx', cookieHeader: 'lang=fr' }, 'fr', false],
    ['another word that ends in lang is none', { query: '?slang=fr' }, 'en', false],
    ['the prefix beats the cookie', { path: 'es', cookieHeader: 'lang=fr' }, 'es', false],
    ['the cookie beats the browser', { cookieHeader: 'a=b; lang=fr', acceptLanguage: 'es' }, 'fr', false],
    [
      'the browser is heard with its weights',
      { acceptLanguage: 'en;q=0.5, es-MX;q=0.8, de;q=0.1' },
      'es',
      false,
    ],
    ['nothing said reads English', {}, 'en', false],
    ['a forged cookie is passed over', { cookieHeader: 'lang=<script>', acceptLanguage: 'fr' }, 'fr', false],
  ] as const)('%s', (_what, hints, language, asked) => {
    expect(visitorLanguage(hints)).toMatchObject({ language, asked })
  })

  it.each([
    [{}, true],
    [{ acceptLanguage: 'ca-ES,ca;q=0.9' }, true],
    [{ query: '?lang=xx', cookieHeader: 'lang=xx', acceptLanguage: 'ja' }, true],
    [{ acceptLanguage: 'ca-ES, en;q=0.1' }, false],
    [{ acceptLanguage: 'de' }, false],
    [{ acceptLanguage: 'ca', cookieHeader: 'lang=en' }, false],
    [{ acceptLanguage: 'ca', query: '?lang=en' }, false],
  ])('of %o is a guess: %s', (hints, isGuess) => {
    // The second answer comes from memory.
    for (let n = 0; n < 2; n++) expect(visitorLanguage(hints).isGuess).toBe(isGuess)
  })

  it('is remembered for a year, on https only there', () => {
    expect(rememberLanguage('fr', false)).toBe('lang=fr; Max-Age=31536000; Path=/; SameSite=Lax')
    expect(rememberLanguage('fr', true)).toBe('lang=fr; Max-Age=31536000; Path=/; Secure; SameSite=Lax')
  })
})

describe('the origin of a call', () => {
  const seen = (site: string, origin: string): string | undefined => {
    const headers = { origin }
    createOwnOrigin(new URL(site))({ headers } as never)
    return headers.origin
  }

  it('is the site under each of its names on one’s own machine, with the same port only', () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      expect(seen('http://localhost:4321', `http://${name}:4321`)).toBe('http://localhost:4321')
      expect(seen('http://localhost:4321', `http://${name}:4322`)).toBe(`http://${name}:4322`)
    }
    expect(seen('http://localhost:4321', 'http://evil.example')).toBe('http://evil.example')
  })

  it('is never changed for a site that visitors reach from elsewhere', () => {
    expect(seen('https://gift.example', 'http://localhost')).toBe('http://localhost')
  })
})
