import type { MailPalette } from '#domain/mail/mail-data.ts'
import { type Rgb, THEMES, type ThemeId } from '#domain/themes.ts'

/** The mail's colours in a card's theme. Tints are computed here, since mail programs know no `color-mix`. */
export function paletteOf(themeId: ThemeId): MailPalette {
  const { background, text } = THEMES[themeId]
  return {
    background: hex(background),
    text: hex(text),
    quiet: hex(mix(text, background, 0.7)),
    hairline: hex(mix(text, background, 0.14)),
  }
}

/** `share` (0–1) of the one colour over the other. */
function mix(colour: Rgb, over: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(colour[index] * share + over[index] * (1 - share))
  return [channel(0), channel(1), channel(2)]
}

function hex(colour: Rgb): string {
  return `#${colour.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}
