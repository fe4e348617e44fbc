import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { THEMES } from '#domain/themes.ts'
import { drawPreview, drawText } from '#server/modules/story/previews/draw.ts'

/** The colour of one pixel. */
async function pixel(png: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(png).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer())]
}

/** Places inside the letter's edge that the words must leave free. */
const MARGINS = [
  [10, 10],
  [70, 360],
  [1_130, 360],
  [70, 490],
  [1_130, 490],
] as const

describe('a link preview', () => {
  it.each([
    ['palestine', 'es', 'gift'],
    ['ukraine', 'en', 'gift'],
    ['christmas', 'fr', 'gift'],
    ['palestine', 'fr', 'invitation'],
    ['ukraine', 'es', 'invitation'],
    ['christmas', 'en', 'invitation'],
  ] as const)(
    'in %s, %s, of the %s, is 1200 × 630, at most 200 kB, on its theme’s paper, its words within the letter',
    async (theme, language, kind) => {
      const png = await drawPreview(THEMES[theme], language, kind)
      const { width, height } = await sharp(png).metadata()
      expect([width, height]).toEqual([1_200, 630])
      expect(png.length).toBeLessThanOrEqual(200_000)
      for (const [left, top] of MARGINS)
        expect(await pixel(png, left, top)).toEqual([...THEMES[theme].background])
    },
  )

  it('is set in the display face, whatever faces this machine has, the first time and later', async () => {
    const width = async (): Promise<number> =>
      (await drawText('Un cadeau à donner.', { size: 80, colour: '#000000' })).info.width
    // Measured in the face itself; others run differently wide.
    expect([await width(), await width()]).toEqual([DISPLAY_WIDTH, DISPLAY_WIDTH])
  })
})

const DISPLAY_WIDTH = 773
