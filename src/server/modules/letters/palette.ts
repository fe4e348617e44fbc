import type { MailPalette } from '#domain/mail/mail-data.ts'
import { hexOf, mixed, type Theme } from '#domain/themes.ts'

/** The mail's colours in a card's theme. Tints are computed here, since mail programs know no `color-mix`. */
export function paletteOf({ background, text }: Theme): MailPalette {
  return {
    background: hexOf(background),
    text: hexOf(text),
    quiet: hexOf(mixed(text, background, 0.7)),
    hairline: hexOf(mixed(text, background, 0.14)),
  }
}
