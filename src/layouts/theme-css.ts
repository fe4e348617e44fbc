import { hexOf, PLAIN_THEME, type Theme } from '#domain/themes.ts'

const colours = ({ background, text }: Theme): string => `{--paper:${hexOf(background)};--ink:${hexOf(text)}}`

/**
 * The two colours of each theme as CSS variables.
 * Of each, also of the one that stands unchosen: its envelope may lie on a page in another.
 * @param themes as they are published, so that a new theme is content only; or a card's own
 * @param unchosen stands for a missing or unknown `data-theme`
 */
export function themeCss(themes: readonly Theme[], unchosen: Theme = PLAIN_THEME): string {
  const rules = themes.map(theme => `[data-theme=${theme.id}]${colours(theme)}`)
  return [`:root${colours(unchosen)}`, ...rules].join('')
}
