import sharp from 'sharp'
import { expect, it } from 'vitest'
import { THEMES, type Theme } from '#domain/themes.ts'
import { previewImagePath } from '#paths'
import { createPreviewPictures } from '#server/modules/story/previews/pictures.ts'
import type { Database } from '#server/platform/db/database.ts'
import { inLanguages } from '#tests/builders/domain.ts'

const SEA: Theme = { id: 'the-sea', background: [240, 250, 255], text: [0, 40, 80], motif: 'rays' }
const names = inLanguages({ es: 'Mar', en: 'Sea', fr: 'Mer' })

/** Nothing was ever published but what is published now. */
const none = { read: async () => false } as unknown as Database
const log = { info() {}, error() {} }
const pictures = createPreviewPictures({
  db: none,
  published: () => [{ ...SEA, names, isOffered: true }],
  log,
})
const ask = (path: string, method = 'GET') =>
  pictures.handle(new Request(`https://gift.example${path}`, { method }))

it('has the six at the addresses of the build, and every other look at one of its own', () => {
  expect(previewImagePath(THEMES.ukraine, 'en')).toBe('/og/ukraine-en.png')
  expect(previewImagePath({ ...THEMES.ukraine, motif: 'snow' }, 'en')).toBe(
    '/og/ukraine-fff7d110316b-snow-en.png',
  )
  expect(previewImagePath(SEA, 'fr', 'invitation')).toBe('/og/invitation-the-sea-f0faff002850-rays-fr.png')
  expect(pictures.matches(previewImagePath(THEMES.ukraine, 'en'))).toBe(false)
  expect(pictures.matches(previewImagePath(SEA, 'fr', 'invitation'))).toBe(true)
})

it('draws a theme that is published, in its colours, once', async () => {
  const answer = await ask(previewImagePath(SEA, 'en'))
  expect(answer.headers.get('cache-control')).toContain('immutable')
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height, [...data.subarray(0, 3)]]).toEqual([1_200, 630, [240, 250, 255]])
  expect((await ask(previewImagePath(SEA, 'en'))).status).toBe(200)
})

it('draws nothing that was never published, and takes nothing else than a question', async () => {
  for (const other of [
    { ...SEA, background: [1, 2, 3] as const },
    { ...SEA, id: 'land' },
  ])
    expect((await ask(previewImagePath(other, 'en'))).status).toBe(404)
  expect((await ask('/og/the-sea-f0faff002850-stars-en.png')).status).toBe(404)
  expect((await ask('/og/the-sea-f0faff002850-rays-xx.png')).status).toBe(404)
  expect((await ask(previewImagePath(SEA, 'en'), 'POST')).status).toBe(405)
})
