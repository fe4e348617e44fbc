import { LANGUAGES, type Language } from '#domain/languages.ts'
import { defaultTheme, hexOf } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { HOME_PATH, ICONS, localizedPath, manifestPath } from '#paths'
import type { App } from '#server/http/app.ts'

type Snapshot = ReturnType<App['content']['snapshot']>

/** Names the manifest at a path; undefined for every other path. */
export function manifestLanguage(path: string): Language | undefined {
  return LANGUAGES.find(language => manifestPath(language) === path)
}

/**
 * How the site stands on a phone's home screen. It keeps the browser's Back button: a payment leads to another site.
 */
export function manifestOf({ settings, themes }: Pick<Snapshot, 'settings' | 'themes'>, language: Language) {
  const paper = hexOf(defaultTheme(themes).background)
  const name = settings.siteName[language]
  return {
    id: HOME_PATH,
    name,
    short_name: name,
    description: getT(language)('entry-lead'),
    lang: language,
    start_url: localizedPath(language, HOME_PATH),
    scope: HOME_PATH,
    display: 'minimal-ui',
    background_color: paper,
    theme_color: paper,
    icons: ICONS.filter(({ path }) => path.startsWith('/icon')).map(icon => ({
      src: icon.path,
      sizes: `${icon.size}x${icon.size}`,
      type: 'image/png',
      ...('maskable' in icon && { purpose: 'maskable' }),
    })),
  }
}

/** The manifest as an answer. Browsers ask for it again after an hour, since the site's name is content. */
export function manifestAnswer(snapshot: Pick<Snapshot, 'settings' | 'themes'>, language: Language) {
  return {
    status: 200,
    headers: [
      ['Content-Type', 'application/manifest+json; charset=utf-8'],
      ['Cache-Control', 'public, max-age=3600'],
    ] as const,
    body: JSON.stringify(manifestOf(snapshot, language)),
  }
}
