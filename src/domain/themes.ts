/** Red, green and blue, 0 to 255 each. */
export type Rgb = readonly [number, number, number]

/** The id of a theme; `isThemeId` says which ids are allowed. */
export type ThemeId = string

/** The patterns that can be cut out of an envelope's flap (domain/envelope.ts draws them). */
export const MOTIFS = ['plain', 'terraces', 'border', 'snow', 'rays', 'sprig'] as const

export type Motif = (typeof MOTIFS)[number]

/** Is this the name of a motif that a card can show? */
export const isMotif = (value: unknown): value is Motif => (MOTIFS as readonly unknown[]).includes(value)

/** How a card looks: one pair of colours, the paper and the ink, and its envelope's flap (product.md#themes). */
export interface Theme {
  readonly id: ThemeId
  readonly background: Rgb
  readonly text: Rgb
  readonly motif: Motif
}

const PALESTINE = { id: 'palestine', background: [255, 255, 255], text: [0, 0, 0], motif: 'plain' } as const

/** The themes of a site whose operator has made none. */
export const THEMES = {
  palestine: PALESTINE,
  ukraine: { id: 'ukraine', background: [255, 247, 209], text: [16, 49, 107], motif: 'border' },
  christmas: { id: 'christmas', background: [253, 246, 243], text: [128, 16, 30], motif: 'snow' },
  lebanon: { id: 'lebanon', background: [255, 255, 255], text: [8, 62, 32], motif: 'terraces' },
  blueText: { id: 'blueText', background: [255, 255, 255], text: [14, 40, 150], motif: 'rays' },
  greenText: { id: 'greenText', background: [255, 255, 255], text: [30, 64, 0], motif: 'sprig' },
} as const satisfies Record<string, Theme>

export type SeedThemeId = keyof typeof THEMES

/** Black on white, where nobody chose a theme: icons, letters about no card, a theme that was not kept. */
export const PLAIN_THEME: Theme = PALESTINE

/** Those of the table that choose-theme offers, in its order; the others are accepted but not shown (product.md#themes). */
export const OFFERED_THEMES: readonly SeedThemeId[] = ['palestine', 'ukraine', 'christmas', 'lebanon']

/** It stands in addresses, in style sheets and in the database: a letter, then letters, digits and hyphens. */
export const isThemeId = (value: unknown): value is ThemeId =>
  typeof value === 'string' && /^[a-z][a-zA-Z0-9-]{1,39}$/.test(value)

/** The look of a theme in a list; undefined for one that the list does not have. */
export const themeIn = <T extends Pick<Theme, 'id'>>(themes: readonly T[], id: unknown): T | undefined =>
  themes.find(theme => theme.id === id)

/** The theme of a visitor who has chosen none: the first that is offered. */
export const defaultTheme = <T extends Theme & { readonly isOffered: boolean }>(
  themes: readonly T[],
): Theme => themes.find(({ isOffered }) => isOffered) ?? PLAIN_THEME

/** A colour as it is written in the Studio, `#rrggbb`; undefined for anything else. */
export function readColour(text: unknown): Rgb | undefined {
  const [, digits] = (typeof text === 'string' && /^#([0-9a-f]{6})$/i.exec(text)) || []
  if (digits === undefined) return undefined
  const channel = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16)
  return [channel(0), channel(2), channel(4)]
}

/** A colour as `#rrggbb`. */
export const hexOf = (colour: Rgb): string =>
  `#${colour.map(channel => channel.toString(16).padStart(2, '0')).join('')}`

/** The same share of ink in paper as `color-mix` gives on the pages. `share` 1 is all ink. */
export function mixed(ink: Rgb, paper: Rgb, share: number): Rgb {
  const part = (at: 0 | 1 | 2): number => Math.round(ink[at] * share + paper[at] * (1 - share))
  return [part(0), part(1), part(2)]
}

/** A colour as the card's answer writes it: `255,255,255`. */
export function rgbText(rgb: Rgb): string {
  return rgb.join(',')
}

/** The contrast that text must have (WCAG 2, AA). */
export const LEAST_CONTRAST = 4.5

/**
 * The pairs that text is written in, as shares of ink: the faintest words on what lies behind them (the styles of
 * screens/shared/kit, letters/palette.ts, print/sheet.ts, the lining of domain/envelope.ts).
 */
const PAIRS = [
  { words: 1, behind: 0 },
  { words: 0.68, behind: 0 },
  // Over the share of an organisation, and over the lining of an open envelope.
  { words: 0.8, behind: 0.08 },
  { words: 1, behind: 0.14 },
  // On a button, also where the pointer is, and in its small print.
  { words: 0, behind: 0.88 },
  { words: 0.18, behind: 1 },
] as const

/** The colour of what went wrong, on every paper (screens/shared/kit/tokens.css). */
const ALARM: Rgb = [163, 18, 31]

/** The contrast of a theme's faintest words with their background, from 1 to 21. */
export function leastContrast({ background, text }: Pick<Theme, 'background' | 'text'>): number {
  const of = (share: number): Rgb => mixed(text, background, share)
  return Math.min(
    contrastRatio(ALARM, background),
    ...PAIRS.map(({ words, behind }) => contrastRatio(of(words), of(behind))),
  )
}

/** Phones read a code that is darker than its paper; so do people. */
export const isPaperLighter = ({ background, text }: Pick<Theme, 'background' | 'text'>): boolean =>
  luminance(background) > luminance(text)

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
