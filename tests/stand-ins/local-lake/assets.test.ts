import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createImageUrlBuilder } from '@sanity/image-url'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import { ask, clientOf, mutate, ORIGIN, openLake, temporaryFolder } from './support.ts'

let lake: Lake
let dir: string
let origin: string

beforeEach(async () => {
  dir = await temporaryFolder()
  origin = ORIGIN
  lake = await openLake({ dir, origin: () => origin })
})

/** A picture whose left half is red and whose right half is blue. */
async function halves(width = 200, height = 100): Promise<Buffer> {
  const half = { width: width / 2, height, channels: 3 as const }
  const [left, right] = await Promise.all(
    ['#ff0000', '#0000ff'].map(background =>
      sharp({ create: { ...half, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([
      { input: left as Buffer, left: 0, top: 0 },
      { input: right as Buffer, left: width / 2, top: 0 },
    ])
    .png()
    .toBuffer()
}

async function uploaded(bytes?: Buffer) {
  return clientOf(lake).assets.upload('image', bytes ?? (await halves()), { filename: 'halves.png' })
}

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await lake.fetch(new Request(url, { headers }))
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

const isRed = async (bytes: Buffer) => {
  const { dominant } = await sharp(bytes).stats()
  return dominant.r > 200 && dominant.b < 60
}

describe('a picture', () => {
  it('is served as it was sent, for ever', async () => {
    const bytes = await halves()
    const { url, sha1hash } = await uploaded(bytes)
    expect(sha1hash).toBe(createHash('sha1').update(bytes).digest('hex'))
    expect(url).toBe(`${ORIGIN}/images/local/production/${sha1hash}-200x100.png`)
    const got = await get(url)
    expect(got.bytes.equals(bytes)).toBe(true)
    expect(got.headers.get('content-type')).toBe('image/png')
    expect(got.headers.get('cache-control')).toContain('immutable')
    expect(got.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('has the address of the moment, which is written down nowhere', async () => {
    const { _id } = await uploaded()
    origin = 'https://elsewhere.example'
    expect(await clientOf(lake).fetch('*[_id == $id][0].url', { id: _id })).toMatch(
      /^https:\/\/elsewhere\.example\/images\//,
    )
    expect(JSON.stringify(lake.store.documents.get(_id))).not.toContain('localhost')
  })

  it('is found by the official builder of addresses, with its sizes, parts and formats', async () => {
    const asset = await uploaded()
    const client = clientOf(lake)
    const picture = () => createImageUrlBuilder(client).image(asset)
    const made = async (url: string) => sharp((await get(url)).bytes).metadata()
    expect(picture().url()).toBe(asset.url)
    expect(await made(picture().width(50).url())).toMatchObject({ width: 50, height: 25, format: 'png' })
    expect(await made(picture().size(40, 40).fit('crop').url())).toMatchObject({ width: 40, height: 40 })
    expect(await made(picture().width(50).dpr(2).url())).toMatchObject({ width: 100 })
    expect(await made(picture().width(999).fit('max').url())).toMatchObject({ width: 200 })
    expect(await made(picture().width(400).url())).toMatchObject({ width: 400 })
    expect(await made(picture().format('webp').quality(50).url())).toMatchObject({ format: 'webp' })
    expect(await made(picture().width(60).height(90).fit('fill').bg('ffffff').url())).toMatchObject({
      height: 90,
    })
    expect(await made(picture().orientation(90).url())).toMatchObject({ width: 100, height: 200 })
    const part = await get(picture().rect(0, 0, 80, 100).url())
    expect(await isRed(part.bytes)).toBe(true)
  })

  it('is cut around its focal point', async () => {
    const { url } = await uploaded()
    const around = async (x: number) =>
      (await get(`${url}?w=50&h=100&fit=crop&crop=focalpoint&fp-x=${x}&fp-y=0.5`)).bytes
    expect(await isRed(await around(0))).toBe(true)
    expect(await isRed(await around(1))).toBe(false)
  })

  it('is turned over, blurred and sharpened', async () => {
    const { url } = await uploaded()
    expect(
      await isRed((await get(`${url}?flip=h&rect=0,0,200,100&blur=20&sharp=10&w=20&fm=jpg`)).bytes),
    ).toBeDefined()
    expect((await get(`${url}?or=180&fm=avif&w=20`)).headers.get('content-type')).toBe('image/avif')
  })

  it('comes in the best format that the browser takes', async () => {
    const { url } = await uploaded()
    const type = async (accept: string) =>
      (await get(`${url}?w=20&auto=format`, { accept })).headers.get('content-type')
    expect(await type('image/avif,image/webp,*/*')).toBe('image/avif')
    expect(await type('image/webp,*/*')).toBe('image/webp')
    expect(await type('*/*')).toBe('image/png')
  })

  it('is made once in each form', async () => {
    const { url } = await uploaded()
    const [one, other] = await Promise.all([get(`${url}?w=20`), get(`${url}?w=20`)])
    expect(one.bytes.equals(other.bytes)).toBe(true)
    await get(`${url}?w=21`)
    expect(await readdir(join(dir, 'transforms'))).toHaveLength(2)
  })

  it.each([
    'w=100000',
    'w=0',
    'w=abc',
    'dpr=99',
    'blur=9999',
    'q=101',
    'rect=1,2',
    'rect=500,500,10,10',
    'fm=exe',
    'fit=x',
    'or=45',
    'bg=red;',
  ])('cannot be asked to become anything: %s', async asked => {
    const { url } = await uploaded()
    const { status, bytes } = await get(`${url}?${asked}`)
    expect(status).toBe(400)
    expect(JSON.parse(bytes.toString())).toMatchObject({ statusCode: 400, message: expect.any(String) })
  })

  it('that is turned in the camera has the size that is seen', async () => {
    const turned = await sharp(await halves(40, 20))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await uploaded(turned)).metadata.dimensions).toMatchObject({ width: 20, height: 40 })
  })

  it('may be drawn instead of painted', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="10"><rect width="30" height="10"/></svg>'
    const asset = await uploaded(Buffer.from(svg))
    expect(asset).toMatchObject({ extension: 'svg', metadata: { dimensions: { width: 30, height: 10 } } })
    expect((await get(asset.url)).headers.get('content-security-policy')).toContain('sandbox')
  })

  it.each([
    ['a text', Buffer.from('not a picture')],
    ['a page with scripts', Buffer.from('<html><script>alert(1)</script></html>')],
    ['half a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['nothing', Buffer.alloc(0)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(uploaded(bytes)).rejects.toMatchObject({ statusCode: 400 })
    expect(lake.store.documents.size).toBe(0)
  })

  it('that unfolds to more than there is room for is refused with what to do', async () => {
    const width = 11_000
    const picture = sharp({ create: { width, height: width, channels: 3, background: '#ffffff' } })
    const bytes = await picture.png({ compressionLevel: 1 }).toBuffer()
    await expect(uploaded(bytes)).rejects.toThrow(/more than 120 million pixels: make it smaller/)
  })

  it('that is refused is told to whoever asked to hear of it, with the reason and without its name', async () => {
    const heard: object[] = []
    const hearing = await openLake({ onRefusedUpload: refused => heard.push(refused) })
    const upload = (body: BodyInit, headers: Record<string, string> = {}) =>
      ask(hearing, '/vX/assets/images/production?filename=ana.jpg', { method: 'POST', body, headers })
    await upload('not a picture', { 'content-length': '13' })
    await upload('x', { 'content-length': '40000000' })
    expect(heard).toEqual([
      { status: 400, reason: expect.stringContaining('not a picture'), bytes: 13 },
      { status: 413, reason: 'The file is larger than 20 MB', bytes: 40_000_000 },
    ])
  })

  it('beside twelve others that are on their way is refused, and taken once one of them is there', async () => {
    const heard: { status: number }[] = []
    const busy = await openLake({ onRefusedUpload: refused => heard.push(refused) })
    const bytes = new Uint8Array(await halves(4, 4))
    const finish: (() => void)[] = []
    const slow = () => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(bytes)
          finish.push(() => controller.close())
        },
      })
      return ask(busy, '/vX/assets/images/production', {
        method: 'POST',
        body,
        duplex: 'half',
      } as RequestInit)
    }
    const sent = Array.from({ length: 12 }, slow)
    const once = () => ask(busy, '/vX/assets/images/production', { method: 'POST', body: bytes })
    expect((await once()).status).toBe(503)
    expect(heard).toMatchObject([{ status: 503, reason: expect.stringContaining('at once') }])
    for (const end of finish) end()
    await Promise.all(sent)
    expect((await once()).status).toBe(200)
  })

  it('over 20 MB is refused, whether its size is announced or not', async () => {
    const large = Buffer.alloc(20 * 1024 * 1024 + 1)
    const path = '/vX/assets/images/production'
    const announced = { method: 'POST', body: 'x', headers: { 'content-length': String(large.length) } }
    for (const init of [announced, { method: 'POST', body: large }]) {
      const response = await ask(lake, path, init)
      expect(response.status).toBe(413)
      expect((await response.json()).message).toContain('20 MB')
    }
  })

  it('that the content shows cannot be deleted', async () => {
    const { _id } = await uploaded()
    await mutate(lake, { create: { _type: 'note', image: { asset: { _ref: _id, _type: 'reference' } } } })
    expect((await mutate(lake, { delete: { id: _id } })).status).toBe(409)
  })
})

describe('a file', () => {
  it('comes as a download, never as a page of the site', async () => {
    const page = Buffer.from('<script>alert(document.cookie)</script>')
    const { url } = await clientOf(lake).assets.upload('file', page, {
      filename: 'page.html',
      contentType: 'text/html',
    })
    const { headers, bytes } = await get(`${url}?dl=Bericht 1.html`)
    expect(bytes.equals(page)).toBe(true)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toBe('attachment; filename="Bericht_1.html"')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['../transactions.ndjson', '%2e%2e%2ftransactions.ndjson', 'none.txt', `${'0'.repeat(40)}.txt`])(
    'that was never sent is not there: %s',
    async name => {
      expect((await get(`${ORIGIN}/files/local/production/${name}`)).status).toBe(404)
    },
  )
})
