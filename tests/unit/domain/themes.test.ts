import { describe, expect, it } from 'vitest'
import {
  contrastRatio,
  isThemeId,
  OFFERED_THEMES,
  PLAIN_THEME,
  type Rgb,
  rgbText,
  type SeedThemeId,
  THEMES,
} from '#domain/themes.ts'

const ids = Object.keys(THEMES) as SeedThemeId[]

/** Secondary text: the text colour mixed into the paper, as `color-mix(in srgb, …)` does. */
function mix(text: Rgb, background: Rgb, share: number): Rgb {
  return text.map((channel, index) => channel * share + background[index]! * (1 - share)) as unknown as Rgb
}

describe('the themes', () => {
  it('are six, of which four are offered', () => {
    expect(ids).toEqual(['palestine', 'ukraine', 'christmas', 'lebanon', 'blueText', 'greenText'])
    expect(OFFERED_THEMES).toEqual(['palestine', 'ukraine', 'christmas', 'lebanon'])
    expect(PLAIN_THEME.id).toBe('palestine')
  })

  it.each(ids)('%s is read easily', id => {
    const { background, text } = THEMES[id]
    expect(contrastRatio(text, background)).toBeGreaterThanOrEqual(7)
  })

  it.each(ids)('%s is read well in its secondary text', id => {
    const { background, text } = THEMES[id]
    expect(contrastRatio(mix(text, background, 0.68), background)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(ids)('%s has whole channels from 0 to 255', id => {
    const channels = [...THEMES[id].background, ...THEMES[id].text]
    expect(channels.every(channel => Number.isInteger(channel) && channel >= 0 && channel <= 255)).toBe(true)
  })

  it('look different from each other', () => {
    expect(new Set(ids.map(id => JSON.stringify(THEMES[id]))).size).toBe(ids.length)
  })

  it('have words that a style sheet, an address and a column can hold', () => {
    expect(
      ['Palestine', '', 'a', '__proto__', 'a]b', 'a b', `a${'b'.repeat(40)}`, null, 7].some(isThemeId),
    ).toBe(false)
    expect([...ids, 'mar-2027'].every(isThemeId)).toBe(true)
  })

  it('write palestine as black on white', () => {
    const { background, text } = THEMES.palestine
    expect([rgbText(background), rgbText(text)]).toEqual(['255,255,255', '0,0,0'])
  })
})

describe('contrast', () => {
  it('is 21 for black and white, in either order, and 1 for a colour with itself', () => {
    expect(contrastRatio([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 10)
    expect(contrastRatio([255, 255, 255], [0, 0, 0])).toBeCloseTo(21, 10)
    expect(contrastRatio([12, 200, 3], [12, 200, 3])).toBe(1)
  })

  it('agrees with published values', () => {
    expect(contrastRatio([118, 118, 118], [255, 255, 255])).toBeCloseTo(4.54, 2)
    expect(contrastRatio([255, 0, 0], [255, 255, 255])).toBeCloseTo(4.0, 2)
  })
})
