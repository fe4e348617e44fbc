import { isThemeId, type ThemeId } from '#domain/themes.ts'
import { oneOf } from '#screens/shared/storage/persisted.ts'
import { THEME_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

/** The visitor's theme, once chosen; the page's first script reads the same entry. */
export const $theme = choice<ThemeId | undefined>(THEME_KEY, undefined, oneOf(isThemeId))
