import { isThemeId, type ThemeId } from '#domain/themes.ts'
import { oneOf } from '#screens/shared/storage/persisted.ts'
import { choice } from './choice.ts'

/** The visitor's theme, once chosen; the page's first script reads the same entry. */
export const $theme = choice<ThemeId | undefined>('gift:theme', undefined, oneOf(isThemeId))
