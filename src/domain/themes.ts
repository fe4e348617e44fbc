/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [number, number, number]

export interface Theme {
  readonly background: Rgb
  readonly text: Rgb
}

/**
 * Each theme is one pair of colours, the paper and the ink (product.md#senders-flow). A test keeps the ink so dark that
 * secondary text, mixed of 68 % ink, still stands out by 4.5 : 1.
 */
export const THEMES = {
  palestine: { background: [255, 255, 255], text: [0, 0, 0] },
  lebanon: { background: [255, 255, 255], text: [8, 62, 32] },
  ukraine: { background: [255, 247, 209], text: [16, 49, 107] },
  christmas: { background: [253, 246, 243], text: [128, 16, 30] },
  blueText: { background: [255, 255, 255], text: [14, 40, 150] },
  greenText: { background: [255, 255, 255], text: [30, 64, 0] },
} as const satisfies Record<string, Theme>

export type ThemeId = keyof typeof THEMES

/** The theme of a visitor who has chosen none. */
export const DEFAULT_THEME: ThemeId = 'palestine'

/**
 * The themes that choose-theme offers, in its order; the others are accepted but not shown (product.md#senders-flow).
 */
export const OFFERED_THEMES = ['palestine', 'ukraine', 'christmas', 'lebanon'] as const satisfies ThemeId[]

export function isThemeId(value: unknown): value is ThemeId {
  return typeof value === 'string' && Object.hasOwn(THEMES, value)
}

/** A colour as the card's answer writes it: `255,255,255`. */
export function rgbText(rgb: Rgb): string {
  return rgb.join(',')
}

/** The contrast of two colours after WCAG 2, from 1 (the same) to 21 (black on white), in any order. */
export function contrastRatio(a: Rgb, b: Rgb): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
