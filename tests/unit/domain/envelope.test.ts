import { describe, expect, it } from 'vitest'
import {
  ENVELOPE,
  envelopeShapes,
  FLAP_MOTIFS,
  openingEnvelopeShapes,
  themeColours,
} from '#domain/envelope.ts'
import { contrastRatio, mixed, type SeedThemeId, THEMES } from '#domain/themes.ts'

const ids = Object.keys(THEMES) as SeedThemeId[]

/** Every point that a path's absolute commands name. */
const absolutePoints = (path: string): [number, number][] =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

describe('the envelope', () => {
  it('is small enough to stand in a page', () => {
    const { body, folds, flap } = ENVELOPE
    expect(`${body}${folds}${flap}`.length).toBeLessThan(230)
    for (const id of ids) expect(envelopeShapes(THEMES[id]).length, id).toBeLessThan(1_100)
  })

  it('has a flap of each theme’s own, in its two colours and no other', () => {
    expect(new Set(Object.values(FLAP_MOTIFS)).size).toBe(ids.length)
    for (const id of ids) {
      const { paper, ink } = themeColours(THEMES[id])
      const colours = envelopeShapes(THEMES[id], { paper, ink }).match(/#[0-9a-f]{6}/g)
      expect(new Set(colours)).toEqual(new Set([paper, ink]))
    }
  })

  it.each(ids)('keeps what is left out of the flap of %s within the flap', id => {
    for (const [x, y] of absolutePoints(FLAP_MOTIFS[THEMES[id].motif])) {
      expect(y).toBeGreaterThanOrEqual(0)
      // The flap's edges run from the upper corners to its tip.
      expect(Math.abs(x - 140)).toBeLessThanOrEqual(137 - ((y - 3) * 137) / 105)
    }
  })

  it.each(ids)(
    'stands out in %s: its flap from its paper, the motif from the flap, and words from both',
    id => {
      const { background, text } = THEMES[id]
      // Flap, motif and words are of the two colours and no mixture of them.
      expect(envelopeShapes(THEMES[id])).not.toContain('fill-opacity')
      expect(contrastRatio(text, background)).toBeGreaterThanOrEqual(4.5)
      // Words may reach over the lining of the open envelope.
      const lining = Number(/fill-opacity="([\d.]+)"/.exec(openingEnvelopeShapes(THEMES[id]))?.[1])
      expect(contrastRatio(text, mixed(text, background, lining))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it.each(ids)('is the same in %s while it can open, but for what lies behind its flap', id => {
    const opening = openingEnvelopeShapes(THEMES[id])
    const [, flap = ''] = /<g class="flap">(.*)<\/g>$/.exec(opening) ?? []
    expect(flap).toContain(FLAP_MOTIFS[THEMES[id].motif])
    expect(
      opening.replace(/<path [^>]*fill-opacity[^>]*>/, '').replace(/<\/?g class="flap">|<\/g>$/g, ''),
    ).toBe(envelopeShapes(THEMES[id]))
  })

  it('takes the colours of the page where it is given none', () => {
    expect(envelopeShapes(THEMES.palestine)).toContain('fill="currentColor"')
  })

  it('mixes ink into paper as the pages do', () => {
    expect(mixed([0, 0, 0], [255, 255, 255], 0.3)).toEqual([179, 179, 179])
    expect(mixed([16, 49, 107], [255, 247, 209], 1)).toEqual([16, 49, 107])
  })
})
