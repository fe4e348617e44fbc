import { hexOf, PLAIN_THEME, type Theme } from '#domain/themes.ts'

const colours = ({ background, text }: Theme): string => `{--paper:${hexOf(background)};--ink:${hexOf(text)}}`

/**
 * The two colours of each theme as CSS variables; themes of the same colours share a rule, since every byte is in each page.
 * Of each, also of the one that stands unchosen: its envelope may lie on a page in another.
 * @param themes as they are published, so that a new theme is content only; or a card's own
 * @param unchosen stands for a missing or unknown `data-theme`
 */
export function themeCss(themes: readonly Theme[], unchosen: Theme = PLAIN_THEME): string {
  const selectors = new Map([[colours(unchosen), [':root']]])
  for (const theme of themes) {
    const own = colours(theme)
    selectors.set(own, [...(selectors.get(own) ?? []), `[data-theme=${theme.id}]`])
  }
  return [...selectors].map(([own, of]) => of.join(',') + own).join('')
}
