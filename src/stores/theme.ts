import { isThemeId, type ThemeId } from '#domain/themes.ts'
import { oneOf, persisted } from './persisted.ts'

/** The visitor's theme, once chosen; the page's first script reads the same entry. */
export const $theme = persisted<ThemeId | undefined>('gift:theme', undefined, oneOf(isThemeId))
