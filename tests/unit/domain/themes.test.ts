import { describe, expect, it } from 'vitest'
import {
  contrastRatio,
  DEFAULT_THEME,
  isThemeId,
  OFFERED_THEMES,
  type Rgb,
  rgbText,
  THEMES,
  type ThemeId,
} from '#domain/themes.ts'

const ids = Object.keys(THEMES).filter(isThemeId)

/** Secondary text: the text colour mixed into the paper, as `color-mix(in srgb, …)` does. */
function mix(text: Rgb, background: Rgb, share: number): Rgb {
  return text.map((channel, index) => channel * share + background[index]! * (1 - share)) as unknown as Rgb
}

describe('the themes', () => {
  it('are six, of which four are offered', () => {
    expect(ids).toEqual(['palestine', 'lebanon', 'ukraine', 'christmas', 'blueText', 'greenText'])
    expect(OFFERED_THEMES).toEqual(['palestine', 'ukraine', 'christmas', 'lebanon'])
    expect(DEFAULT_THEME).toBe('palestine')
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

  it('know their own ids only', () => {
    expect(['Palestine', '', 'toString', '__proto__', null, 7].some(isThemeId)).toBe(false)
  })

  it('write palestine as black on white', () => {
    const { background, text } = THEMES['palestine' satisfies ThemeId]
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
