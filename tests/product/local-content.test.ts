import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath, PUBLISHED_PAGES } from '#paths'
import { createLake } from '#stand-ins/local-lake/index.ts'
import { count } from '#tests/support/counts.ts'
import { call } from '#tests/support/product/call.ts'
import { contentClientOf } from '#tests/support/product/content.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { openSocket } from '#tests/support/product/operator.ts'
import { startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment } from '#tests/support/product/test-environment.ts'

const EVIL = 'https://evil.example'
const QUERY = '/v2026-05-04/data/query/production'
const UPLOAD = '/v2026-05-04/assets/images/production?filename=a.png'
const SOCKETS = ['/local/listen', '/v2026-05-04/socket/production']
const MEGABYTE = 1024 * 1024

const { environment, product } = await openProduct()

describe('local content behind the front', () => {
  it('answers the questions of the official client, the longest address it writes included', async () => {
    const client = contentClientOf(product)
    await expect(client.fetch('count(*[_type == "ngo"])')).resolves.toBe(7)
    const long = `${QUERY}?query=${encodeURIComponent(`"${'x'.repeat(11_000)}"`)}`
    expect((await call(product.url + long)).status).toBe(200)
    // Nobody else's addresses grow with it.
    expect((await call(`${product.url}/es?${'x'.repeat(5_000)}`)).status).toBe(414)
  })

  it('takes a picture of nearly 20 MB and shows it in another size', async () => {
    const noise = await sharp(randomBytes(2_300 * 2_300 * 3), {
      raw: { width: 2_300, height: 2_300, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    expect(noise.length).toBeGreaterThan(15 * MEGABYTE)
    const asset = await contentClientOf(product).assets.upload('image', noise, { filename: 'noise.png' })
    const small = await fetch(`${product.url}${new URL(asset.url).pathname}?w=40&fm=webp`)
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  it.each([
    ['larger than 20 MB', Buffer.alloc(21 * MEGABYTE), 413, /larger than 20 MB/],
    ['no picture', Buffer.from('<h1>not a picture</h1>'), 400, /image/i],
    ['empty', Buffer.alloc(0), 400, /empty/],
  ])('refuses an upload that is %s, in words for the Studio', async (_, body, status, message) => {
    const answer = await fetch(product.url + UPLOAD, { method: 'POST', body })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ statusCode: status, message: expect.stringMatching(message) })
  })

  it('refuses pages of other sites, over HTTP and at both sockets', async () => {
    for (const [method, path] of [
      ['GET', `${QUERY}?query=1`],
      ['POST', '/v2026-05-04/data/mutate/production'],
      ['OPTIONS', '/v2026-05-04/data/mutate/production'],
      ['POST', UPLOAD],
    ] as const) {
      const answer = await call(product.url + path, { method, headers: { Origin: EVIL } })
      expect([answer.status, answer.headers['access-control-allow-origin']], path).toEqual([403, undefined])
    }
    for (const path of SOCKETS) {
      expect((await openSocket(product, path, { Origin: EVIL })).status, path).toBe(403)
      const own = await openSocket(product, path, { Origin: `http://localhost:${product.port}` })
      expect(own.status, path).toBe(101)
      own.socket.terminate()
    }
  })

  it('refuses names that are not its own, and whoever a proxy brings: without a login it is this machine’s', async () => {
    const status = async (headers: Record<string, string>) =>
      (await call(`${product.url}${QUERY}?query=1`, { headers })).status
    expect(await status({})).toBe(200)
    expect(await status({ Host: 'rebound.example' })).toBe(404)
    expect(await status({ 'X-Forwarded-For': '203.0.113.9' })).toBe(403)
    expect((await openSocket(product, '/local/listen', { 'X-Forwarded-For': '203.0.113.9' })).status).toBe(
      403,
    )
    const asked = await call(`${product.url}/api/operator/content`, { headers: { Host: 'rebound.example' } })
    expect(asked.status).toBe(404)
    const forwarded = { 'X-Forwarded-For': '203.0.113.9' }
    expect((await call(`${product.url}/api/operator/content`, { headers: forwarded })).status).toBe(401)
  })

  it('refuses other sockets as the plain requests they are', async () => {
    expect((await openSocket(product, '/es', {})).status).toBe(200)
    expect((await openSocket(product, '/api/stripe/webhook', {})).status).toBe(405)
  })

  it('has no address that a page or call of the product has', async () => {
    const lake = await createLake({ dir: `${environment.dataDir}/unused` })
    const pages = PUBLISHED_PAGES.flatMap(({ path }) => [
      path,
      ...LANGUAGES.map(language => localizedPath(language, path)),
    ])
    const own = [
      ...pages,
      '/studio',
      '/studio/x',
      '/studio-login',
      '/api/ajuda/x',
      '/gift-card/x',
      '/robots.txt',
    ]
    expect(own.filter(path => lake.handlesPath(path))).toEqual([])
    await lake.close()
  })
})

describe('the end of a server', () => {
  it('ends event streams and sockets at once, and writes nothing of them into the log', async () => {
    const server = await startProduct({ env: environment.secondEnv() })
    const gone = new AbortController()
    const listen = `${server.url}/v2026-05-04/data/listen/production?query=*`
    const stream = await fetch(listen)
    const left = await fetch(listen, { signal: gone.signal })
    expect([stream.status, left.status]).toEqual([200, 200])
    // One listener goes away by itself, as when a tab is closed.
    gone.abort()
    const { socket } = await openSocket(server, '/local/listen', {})
    const closed = once(socket, 'close')
    const startedAt = performance.now()
    expect(await server.stop()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    await stream.text()
    await closed
    expect(server.output()).not.toContain('request-failed')
  })

  it(`in the middle of writing (kill −9, ${count({ usual: 2, long: 40 })} times) loses nothing that was acknowledged`, async () => {
    const env = (await openTestEnvironment('sqlite')).env
    let acknowledged = 0
    for (let round = 0; round < count({ usual: 2, long: 40 }); round++) {
      const server = await startProduct({ env })
      const client = contentClientOf(server)
      await expect(client.fetch('count(*[_type == "note"])')).resolves.toBeGreaterThanOrEqual(acknowledged)
      const before = acknowledged
      const writing = (async () => {
        for (let n = 0; ; n++) {
          await client.create({ _id: `note-${round}-${n}`, _type: 'note', text: 'x'.repeat(2_000) })
          acknowledged++
        }
      })().catch(() => {})
      // A busy machine takes its time with the first.
      await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(before), { timeout: 20_000 })
      await wait(150 + 70 * round)
      await server.kill()
      await writing
    }
    const server = await startProduct({ env })
    await expect(contentClientOf(server).fetch('count(*[_type == "note"])')).resolves.toBeGreaterThanOrEqual(
      acknowledged,
    )
    await server.kill()
    expect(acknowledged).toBeGreaterThan(0)
  })
})
