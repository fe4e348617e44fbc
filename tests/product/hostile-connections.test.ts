import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { count, isLong } from '#tests/support/counts.ts'
import { buyCard, CLAIM, cardApi, FREE_CARD, NGOS, selectionOf } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { rawPost, rawRequest, sendRaw } from '#tests/support/product/raw.ts'
import { MARK } from '#tests/support/product/refusal.ts'

const { environment, product } = await openProduct()

describe('a request that two programs would read as different ones', () => {
  /** What would be answered if it were taken for a request of its own: a path that comes back in a redirect. */
  const HIDDEN = `GET /gift-card/${MARK}/ HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const post = (lines: readonly string[], body = HIDDEN) =>
    rawRequest(['POST /api/unknown HTTP/1.1', 'Host: localhost', ...lines], body)
  const length = (text: string) => `Content-Length: ${Buffer.byteLength(text)}`
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`
  const both = ['Content-Length: 5', 'Transfer-Encoding: chunked']

  const AMBIGUOUS: Readonly<Record<string, string>> = {
    'a length and chunks': post(both, `0\r\n\r\n${HIDDEN}`),
    'chunks and a length': post([...both].reverse(), `0\r\n\r\n${HIDDEN}`),
    'two lengths': post(['Content-Length: 0', length(HIDDEN)]),
    'two equal lengths': post([length(HIDDEN), length(HIDDEN)]),
    'a list of lengths': post([`Content-Length: 0, ${HIDDEN.length}`]),
    'a length with a sign': post([`Content-Length: +${HIDDEN.length}`]),
    'a length below nothing': post(['Content-Length: -1']),
    'a length in sixteens': post(['Content-Length: 0x10']),
    'a length with a space in it': post(['Content-Length: 1 0']),
    'a length beyond all numbers': post(['Content-Length: 99999999999999999999999']),
    'chunks under a wrong name': post(['Transfer-Encoding: xchunked'], chunk(HIDDEN)),
    'chunks that are not last': post(['Transfer-Encoding: chunked, identity'], chunk(HIDDEN)),
    'chunks twice': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunk(HIDDEN)),
    'chunks with a control character': post(['Transfer-Encoding: \x0bchunked'], chunk(HIDDEN)),
    'chunks of a size with a sign': post(['Transfer-Encoding: chunked'], `+0\r\n\r\n${HIDDEN}`),
    'chunks of no size': post(['Transfer-Encoding: chunked'], `;x\r\n\r\n${HIDDEN}`),
    'chunks of a size beyond all numbers': post(
      ['Transfer-Encoding: chunked'],
      `fffffffffffffffff\r\n${HIDDEN}`,
    ),
    'a chunk that is longer than it says': post(
      ['Transfer-Encoding: chunked'],
      `1\r\nabc\r\n0\r\n\r\n${HIDDEN}`,
    ),
    'a chunk whose line ends in a bare line feed': post(
      ['Transfer-Encoding: chunked'],
      `1\na\n0\n\n${HIDDEN}`,
    ),
    'a space before the colon': post([`Content-Length : ${HIDDEN.length}`]),
    'a space before a name': post([' Content-Length: 0', length(HIDDEN)]),
    'a folded line': post(
      ['X-A: b', `\tContent-Length: ${HIDDEN.length}`, 'Transfer-Encoding:', ' chunked'],
      chunk(HIDDEN),
    ),
    'a null in a name': post([`Content-\0Length: 0`, length(HIDDEN)]),
    'a null in a value': post(['X-A: b\0c', length(HIDDEN)]),
    'a bare carriage return in a value': post([`X-A: b\rContent-Length: 0`, length(HIDDEN)]),
    'lines that end in bare line feeds': `GET / HTTP/1.1\nHost: localhost\n\n${HIDDEN}`,
    'a line without a colon': post(['Content-Length', length(HIDDEN)]),
    'no name at all': post([': 0', length(HIDDEN)]),
    'two hosts': rawRequest(['GET /es HTTP/1.1', 'Host: localhost', 'Host: evil.example'], HIDDEN),
    'no host': rawRequest(['GET /es HTTP/1.1', 'X-A: b'], HIDDEN),
    'a version of its own': rawRequest(['GET /es HTTP/1.9', 'Host: localhost'], HIDDEN),
    'no version': `GET /es\r\n${HIDDEN}`,
    'the beginning of another protocol': `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`,
    'something that waits for a nod': rawRequest(
      ['POST /api/unknown HTTP/1.1', 'Host: localhost', 'Expect: 200-maybe', length(HIDDEN)],
      HIDDEN,
    ),
  }

  it.each(Object.entries(AMBIGUOUS))('%s: is refused, and nothing after it is heard', async (_, bytes) => {
    const answers = await sendRaw(product.port, Buffer.from(bytes, 'latin1'))
    for (const { head, body } of answers) expect(head + body).not.toContain(MARK)
    expect(answers.map(({ status }) => status).filter(status => status < 400)).toEqual([])
    expect(answers.length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['a page', 'GET /es HTTP/1.1'],
    ['a file', 'GET /favicon.svg HTTP/1.1'],
    ['a card', `GET /api/ajuda/giftcard/${'a'.repeat(32)}/full HTTP/1.1`],
    ['a recipient’s page', `GET /gift-card/${'a'.repeat(32)}/doesnt-exist/final HTTP/1.1`],
    ['a refusal', 'POST /es HTTP/1.1'],
    ['health', 'GET /health/live HTTP/1.1'],
  ])('%s asked for with a body: the body is no request of its own', async (_, line) => {
    const last = rawRequest(['GET /robots.txt HTTP/1.1', 'Host: localhost', 'Connection: close'])
    for (const [header, body] of [
      [length(HIDDEN), HIDDEN],
      ['Transfer-Encoding: chunked', chunk(HIDDEN)],
    ] as const) {
      const answers = await sendRaw(product.port, rawRequest([line, 'Host: localhost', header], body) + last)
      for (const answer of answers) expect(answer.head + answer.body).not.toContain(MARK)
      expect(answers.length).toBeLessThanOrEqual(2)
    }
  })

  it('another site’s whole address is the path alone, and never that site’s', async () => {
    const close = ['Host: localhost', 'Connection: close']
    const [whole] = await sendRaw(
      product.port,
      rawRequest([`GET http://${MARK}.example/es HTTP/1.1`, ...close]),
    )
    expect(whole!.head + whole!.body).not.toContain(MARK)
    expect(whole!.status).toBeLessThan(500)
    for (const target of ['*', `${MARK}.example:443`, `//${MARK}.example/es`, '/es\\..\\internal']) {
      const answers = await sendRaw(product.port, rawRequest([`GET ${target} HTTP/1.1`, ...close]))
      for (const { head, body, status } of answers) {
        expect(head + body).not.toContain(MARK)
        expect(status).toBeLessThan(500)
      }
    }
  })
})

describe('what lies beside the site', () => {
  it.each([
    '/.git/config',
    '/.env',
    '/package.json',
    '/src/server/app.ts',
    '/dist/server/entry.mjs',
    '/database.sqlite',
    '/_astro/',
    '/_astro/../../package.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/images/../../package.json',
    '/metrics',
  ])('%s: is not there', async path => {
    const close = ['Host: localhost', 'Connection: close']
    const [answer] = await sendRaw(product.port, rawRequest([`GET ${path} HTTP/1.1`, ...close]))
    // One word alone may be the code of an advertisement: that is the entry page, and says nothing else.
    if (path === '/metrics') expect(answer!.head).toContain('text/html')
    else expect(answer!.status).toBe(404)
    expect(answer!.body).not.toMatch(/process_cpu|dependencies|root:x|\[core\]/)
  })

  it('a request is never told back, nor a tunnel opened', async () => {
    for (const method of ['TRACE', 'TRACK', 'CONNECT', 'DEBUG', 'PROPFIND']) {
      const bytes = rawRequest([
        `${method} / HTTP/1.1`,
        'Host: localhost',
        `X-A: ${MARK}`,
        'Connection: close',
      ])
      for (const { status, head, body } of await sendRaw(product.port, bytes)) {
        expect(status).toBeGreaterThanOrEqual(400)
        expect(head + body).not.toContain(MARK)
      }
    }
  })
})

describe('many requests that arrive in one packet', () => {
  const RIVALS = count({ usual: 30, long: 200 })
  const ROUNDS = count({ usual: 3, long: 50 })

  it(`${RIVALS} splits of one card: one is given, and the others come too late`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { privateKey } = await buyCard(product)
      const bytes = Array.from({ length: RIVALS }, (_, n) =>
        rawPost(
          cardApi(privateKey),
          selectionOf({ [NGOS[n % NGOS.length]!]: 1 + Math.floor(n / NGOS.length) }),
        ),
      ).join('')
      const answers = await sendRaw(product.port, bytes, RIVALS)
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter(status => status === 200)).toHaveLength(1)
      expect(statuses.filter(status => status === 409)).toHaveLength(RIVALS - 1)
    }
    expect(await checkLedger(environment.database.db)).toEqual([])
  })

  it(`${RIVALS} claims of one mailbox, written in as many ways: one card`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = Array.from({ length: RIVALS }, (_, n) => {
        const fromEmail = `one.${round}.box+${n}@gmail.com`
        return rawPost(`${FREE_CARD}/get`, { ...CLAIM, fromEmail })
      }).join('')
      const answers = await sendRaw(product.port, bytes, RIVALS)
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.includes('email-already-used'))).toHaveLength(RIVALS - 1)
    }
    expect(await checkLedger(environment.database.db)).toEqual([])
  })
})

describe('senders who never end', () => {
  const CROWD = count({ usual: 200, long: 2_000 })
  const BEGINNINGS = [
    'GET /es HTTP/1.1\r\nHost: localhost\r\nX-A: ',
    'POST /api/ajuda/pagaments-donatius/gateway HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"a":"',
    'POST /api/ajuda/pagaments-donatius/gateway HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
    '',
  ]

  it(`${CROWD} of them keep nobody else waiting`, async () => {
    const crowd = await Promise.all(
      Array.from({ length: CROWD }, (_, n) => holdOn(product.port, BEGINNINGS[n % BEGINNINGS.length]!)),
    )
    const askedAt = performance.now()
    expect((await call(`${product.url}/es`)).status).toBe(200)
    const card = await buyCard(product)
    expect((await call(`${product.url}${cardApi(card.privateKey)}/full`)).status).toBe(200)
    expect(performance.now() - askedAt).toBeLessThan(5_000)
    // Their connections end by themselves; the long run waits for it.
    if (isLong) {
      const sent = crowd.filter((_, n) => BEGINNINGS[n % BEGINNINGS.length] !== '')
      await Promise.all(
        sent.map(socket => socket.closed || once(socket, 'close', { signal: AbortSignal.timeout(75_000) })),
      )
    }
    for (const socket of crowd) socket.destroy()
  })
})

async function holdOn(port: number, beginning: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(beginning)
  socket.resume()
  return socket
}
