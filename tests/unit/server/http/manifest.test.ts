import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { manifestPath } from '#paths'
import { manifestLanguage, manifestOf } from '#server/http/handlers/manifest.ts'
import { drawIcon, iconShapes, icoOf } from '#server/modules/story/previews/icons.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { NOT_OURS } from '#tests/support/languages.ts'

const siteName = inLanguages({ es: 'Mantén la cadena', en: 'Keep the Chain', fr: 'Gardez la chaîne' })
const snapshot = { settings: { siteName }, themes: [] } as unknown as Parameters<typeof manifestOf>[0]

describe('the manifest', () => {
  it('is called as the content says, in its own language, and opens the site there', () => {
    for (const language of LANGUAGES) {
      expect(manifestLanguage(manifestPath(language))).toBe(language)
      expect(manifestOf(snapshot, language)).toMatchObject({
        name: siteName[language],
        start_url: `/${language}`,
        lang: language,
      })
    }
    for (const path of [
      `/manifest-${NOT_OURS[0]}.webmanifest`,
      '/manifest.webmanifest',
      '/es/manifest-es.webmanifest',
    ])
      expect(manifestLanguage(path)).toBeUndefined()
  })

  it('names an icon that a phone may cut to its own shape', () => {
    const { icons } = manifestOf(snapshot, 'es')
    expect(icons.map(({ src }) => src)).toEqual(['/icon-192.png', '/icon-512.png', '/icon-maskable-512.png'])
    expect(icons.filter(icon => 'purpose' in icon)).toHaveLength(1)
  })
})

describe('an icon', () => {
  it('is as large as asked, and full to its corners where a phone rounds it', async () => {
    for (const [size, look] of [
      [180, {}],
      [512, { maskable: true }],
    ] as const) {
      const { data, info } = await sharp(await drawIcon(size, look))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect([info.width, info.height]).toEqual([size, size])
      expect([...data.subarray(0, 3)]).toEqual([0, 0, 0])
    }
  })

  it('has all of the envelope in the circle that is safe, where it may be cut', async () => {
    const size = 200
    const { data } = await sharp(await drawIcon(size, { maskable: true }))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    for (const [place, light] of data.entries()) {
      const [x, y] = [(place % size) - size / 2, Math.floor(place / size) - size / 2]
      if (light > 128) expect(Math.hypot(x, y)).toBeLessThanOrEqual(size * 0.4)
    }
  })

  it('of the tab is the same drawing as a file, also for those who ask for an ICO', async () => {
    expect(readFileSync('public/favicon.svg', 'utf8')).toBe(`${iconShapes(64, { rounded: true })}\n`)
    const png = await drawIcon(32, { rounded: true })
    const ico = icoOf(png, 32)
    expect([ico.readUInt16LE(2), ico.readUInt16LE(4), ico.readUInt32LE(14)]).toEqual([1, 1, png.length])
    expect(ico.subarray(ico.readUInt32LE(18))).toEqual(png)
  })
})
