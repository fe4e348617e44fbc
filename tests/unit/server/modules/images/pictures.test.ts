import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PICTURE_FORMATS, PICTURE_WIDTHS, type Picture, WHOLE } from '#domain/images/picture.ts'
import { picturePath } from '#paths'
import { createPictures } from '#server/modules/images/pictures.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const HASH = '0123456789abcdef0123456789abcdef01234567'
const WIDE: Picture = { asset: `image-${HASH}-1600x900-jpg`, crop: WHOLE }

/** Noise, which no format packs well. */
const noisy = () =>
  sharp({
    create: {
      width: 1600,
      height: 900,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer()

const plain = () =>
  sharp({ create: { width: 1600, height: 900, channels: 3, background: '#4477aa' } })
    .jpeg()
    .toBuffer()

async function room(published: readonly Picture[], read: () => Promise<Buffer> = noisy) {
  const dir = await mkdtemp(join(tmpdir(), 'pictures-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  let asked = 0
  let current = published
  const pictures = createPictures({
    dir,
    published: () => current,
    log: quietLog(),
    readAsset: () => {
      asked++
      return read()
    },
  })
  return {
    dir,
    asked: () => asked,
    publish: (next: readonly Picture[]) => (current = next),
    get: (path: string, method = 'GET') =>
      pictures.handle(new Request(`https://cards.example${path}`, { method })),
  }
}

describe('pictures of the content', () => {
  it.each(PICTURE_FORMATS)(
    'are sent as %s in each width, to be kept for ever, at most 60 kB',
    async format => {
      const { get } = await room([WIDE], () =>
        sharp({ create: { width: 1600, height: 900, channels: 3, background: '#4477aa' } })
          .jpeg()
          .toBuffer(),
      )
      for (const width of PICTURE_WIDTHS) {
        const answer = await get(picturePath(WIDE, width, format))
        expect(answer.status).toBe(200)
        expect(answer.headers.get('cache-control')).toContain('immutable')
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(bytes.length).toBeLessThanOrEqual(60_000)
        const facts = await sharp(bytes).metadata()
        expect([facts.width, facts.format]).toEqual([
          width,
          format === 'jpg' ? 'jpeg' : format === 'avif' ? 'heif' : format,
        ])
      }
    },
  )

  it('lose quality rather than weigh too much', async () => {
    const { get } = await room([WIDE])
    const bytes = await (await get(picturePath(WIDE, 480, 'webp'))).arrayBuffer()
    expect(bytes.byteLength).toBeLessThanOrEqual(60_000)
  })

  it('are made once for all who ask, and found again on disk', async () => {
    const { get, asked, dir } = await room([WIDE])
    const path = picturePath(WIDE, 480, 'jpg')
    await Promise.all([get(path), get(path), get(path)])
    await get(path)
    expect(asked()).toBe(1)
    expect(await readdir(dir)).toHaveLength(1)
  })

  it('show what the operator’s crop leaves, at an address of its own', async () => {
    const cropped: Picture = { ...WIDE, crop: { top: 0, bottom: 0, left: 0.25, right: 0.25 } }
    const { get } = await room([cropped])
    expect(picturePath(cropped, 480, 'jpg')).not.toBe(picturePath(WIDE, 480, 'jpg'))
    const bytes = await (await get(picturePath(cropped, 480, 'jpg'))).arrayBuffer()
    const { width, height } = await sharp(bytes).metadata()
    expect(height).toBe(Math.round((480 * 900) / 800))
    expect(width).toBe(480)
  })

  it.each([
    '/images/',
    `/images/${HASH}-481.jpg`,
    `/images/${HASH}-480.png`,
    `/images/${HASH}-480.jpg.jpg`,
    `/images/${'f'.repeat(40)}-480.jpg`,
    `/images/../${HASH}-480.jpg`,
    '/images/%2e%2e/transactions.ndjson',
  ])('answer 404 to %s, which no page links to', async path => {
    const { get, asked } = await room([WIDE])
    expect((await get(path)).status).toBe(404)
    expect(asked()).toBe(0)
  })

  it('are gone once they are no longer published, from the disk too', async () => {
    const other: Picture = { asset: `image-${'a'.repeat(40)}-1600x900-jpg`, crop: WHOLE }
    const { get, publish, dir } = await room([WIDE], plain)
    for (const format of PICTURE_FORMATS)
      for (const width of PICTURE_WIDTHS) await get(picturePath(WIDE, width, format))
    publish([other])
    expect((await get(picturePath(WIDE, 480, 'jpg'))).status).toBe(404)
    await get(picturePath(other, 480, 'jpg'))
    expect((await readdir(dir)).every(file => file.startsWith('aaaa'))).toBe(true)
  }, 60_000)

  it('ask to come back when the original cannot be had, and try again then', async () => {
    let away = true
    const { get } = await room([WIDE], () => (away ? Promise.reject(new Error('gone')) : noisy()))
    const path = picturePath(WIDE, 480, 'jpg')
    const refused = await get(path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    away = false
    expect((await get(path)).status).toBe(200)
  })

  it('take nothing but reading', async () => {
    const { get } = await room([WIDE])
    expect((await get(picturePath(WIDE, 480, 'jpg'), 'POST')).status).toBe(405)
  })
})
