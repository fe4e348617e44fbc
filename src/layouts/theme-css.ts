import { DEFAULT_THEME, THEMES, type ThemeId } from '#domain/themes.ts'

const rgb = (colour: readonly number[]): string => `rgb(${colour.join(' ')})`
const colours = (id: ThemeId): string =>
  `{--paper:${rgb(THEMES[id].background)};--ink:${rgb(THEMES[id].text)}}`

/**
 * The two colours of each theme as CSS variables, from the domain's table, so that a new theme is data only.
 * The default theme also stands for a missing or unknown `data-theme`.
 */
export function themeCss(ids: readonly ThemeId[] = Object.keys(THEMES) as ThemeId[]): string {
  return [`:root${colours(DEFAULT_THEME)}`, ...ids.map(id => `[data-theme=${id}]${colours(id)}`)].join('')
}
