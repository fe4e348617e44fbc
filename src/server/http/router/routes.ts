import { isHandleShaped } from '#domain/card/gift-links.ts'
import { type Language, SOURCE_LANGUAGE } from '#domain/languages.ts'
import { isLegalPage, LEGAL_VERSION } from '#domain/legal/legal-texts.ts'
import {
  API_PATHS,
  CARD_PATHS,
  GIFT_LINK_PATH,
  HOME_PATH,
  ID_AND_KEY_PATHS,
  INTERNAL_PATHS,
  LOST_LINK_PATH,
  localizedPath,
  OWN_MONEY_THANKS_PATH,
  type PublishedPage,
  parsePath,
  STUDIO_LOGIN_PATH,
  VOLUNTEERING_CARD_PATHS,
} from '#paths'

/** The router's decision about a path (product.md#addresses). */
export type Route =
  | { readonly kind: 'published'; readonly page: PublishedPage; readonly language?: Language }
  /** Rendered per request by Astro. `path` may differ from the one asked for: see `receiverPath`. */
  | {
      readonly kind: 'receiver'
      readonly path: string
      /** The handle that stands in the path in the place of a key. */
      readonly handle?: string
    }
  /**
   * The operator's login, lost links, withdrawals, unwanted letters, versions of texts: rendered per request.
   * A version says the same for ever (`isLasting`).
   */
  | {
      readonly kind: 'operator'
      readonly path: string
      readonly language?: Language
      readonly isLasting?: true
    }
  | { readonly kind: 'api' }
  /** A redirect: to the same page under its own address, with the query; or to home, for a page that does not exist. */
  | { readonly kind: 'redirect'; readonly to: string; readonly isHome?: true }
  | { readonly kind: 'missing' }

/** Dot segments, empty segments, backslashes, a fragment. */
const CROOKED = /[\\#]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/
const ENCODED: Readonly<Record<string, string>> = { '%2e': '.', '%2f': '/', '%5c': '\\', '%23': '#' }

/**
 * Would a URL parser behind us read this path as another path? `/api/../internal` is a call for code that looks at its
 * beginning, and an internal page for Astro. No link of ours is written so.
 */
export function isAmbiguousPath(rawPath: string): boolean {
  return CROOKED.test(rawPath.replace(/%(?:2[ef3]|5c)/gi, code => ENCODED[code.toLowerCase()] ?? code))
}

/**
 * Sorts the path of a request, without its query. Static files and mounts are asked before and are not known here.
 */
export function routeOf(rawPath: string, pages: ReadonlyMap<string, PublishedPage>): Route {
  if (isAmbiguousPath(rawPath)) return { kind: 'missing' }
  if (rawPath.startsWith(CARD_PATHS) || rawPath.startsWith(VOLUNTEERING_CARD_PATHS))
    return receiverRoute(rawPath)
  const path = decode(rawPath)
  if (path === undefined) return { kind: 'missing' }
  if (isUnder(path, API_PATHS))
    return path === rawPath && !path.endsWith('/') ? { kind: 'api' } : { kind: 'missing' }
  if (
    path === STUDIO_LOGIN_PATH ||
    path === LOST_LINK_PATH ||
    path === OWN_MONEY_THANKS_PATH ||
    ID_AND_KEY_PATH.test(path)
  )
    return { kind: 'operator', path }
  // Whatever stands behind: a browser takes what is behind `#` along wherever it is led.
  if (isUnder(path, `${GIFT_LINK_PATH}/`) && !path.endsWith('/'))
    return { kind: 'operator', path: GIFT_LINK_WORDS.test(path) ? path : GIFT_LINK_PATH }
  if (isUnder(path, INTERNAL_PATHS)) return { kind: 'missing' }
  if (isFileLike(path)) return { kind: 'missing' }

  const { language, rest } = parsePath(path)
  const inLanguage = language === undefined ? {} : { language }
  const page = pages.get(rest)
  if (page) {
    // `/es/` is the home page with a slash too many.
    return path !== '/' && path.endsWith('/')
      ? { kind: 'redirect', to: path.slice(0, -1) }
      : { kind: 'published', page, ...inLanguage }
  }
  if (isLegalVersion(rest))
    return {
      kind: 'operator',
      path: localizedPath(language ?? SOURCE_LANGUAGE, rest),
      isLasting: true,
      ...inLanguage,
    }
  if (rest.endsWith('/')) {
    const to = withoutLastSlash(path)
    return { kind: 'redirect', to: /^\/[^/]+(\/[^/]+)*$/.test(to) ? encodeURI(to) : HOME_PATH }
  }
  const home = pages.get(HOME_PATH)
  // A path of one segment may be the link of a campaign. The script of the entry page looks the campaign up.
  if (home && /^\/[^/]+$/.test(rest)) return { kind: 'published', page: home, ...inLanguage }
  return { kind: 'redirect', to: language ? localizedPath(language, HOME_PATH) : HOME_PATH, isHome: true }
}

/** `/terms/` and a version. */
function isLegalVersion(rest: string): boolean {
  const [, page, version = '', ...more] = rest.split('/')
  return isLegalPage(page) && LEGAL_VERSION.test(version) && more.length === 0
}

/** A theme, a language, a kind of gift. */
const GIFT_LINK_WORDS = new RegExp(`^${GIFT_LINK_PATH}(?:/[\\w-]{1,64}){0,3}$`)

/** A card's id or an order's, and a key of it. */
const ID_AND_KEY_PATH = new RegExp(`^(?:${ID_AND_KEY_PATHS.join('|')})[\\w-]{1,128}/[\\w-]{1,128}$`)

const CARD_KEY_SEGMENT = /^[A-Za-z0-9_-]{1,128}$/

/** A key of another form is passed on as one dash, so that every wrong key gets the same answer. */
function receiverRoute(path: string): Route {
  if (path.endsWith('/')) {
    const to = withoutLastSlash(path)
    return { kind: 'redirect', to: /^\/[\w-]+(\/[\w-]+)+$/.test(to) ? to : HOME_PATH }
  }
  const [, room, key = '', ...screen] = path.split('/')
  const safeScreen = screen.every(word => /^[\w-]+$/.test(word)) ? screen : []
  return {
    kind: 'receiver',
    ...(isHandleShaped(key) && { handle: key }),
    path: ['', room, CARD_KEY_SEGMENT.test(key) ? key : '-', ...safeScreen].join('/'),
  }
}

/** At most one slash is removed: paths with empty segments have been refused before. */
const withoutLastSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

function decode(rawPath: string): string | undefined {
  if (!rawPath.startsWith('/')) return undefined
  let path = rawPath
  if (rawPath.includes('%')) {
    try {
      path = decodeURIComponent(rawPath)
    } catch {
      return undefined
    }
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused
  return /[\\\x00-\x1f\x7f]/.test(path) ? undefined : path
}

const isUnder = (path: string, folder: string): boolean =>
  path === folder.slice(0, -1) || path.startsWith(folder)

/** Does the path look like a file, a hidden folder, or an internal path of Astro (`/_…`)? Such a path gets a 404. */
function isFileLike(path: string): boolean {
  const segments = path.split('/').slice(1)
  return (
    /^\/_(?!_)/.test(path) ||
    segments.some(segment => segment.startsWith('.')) ||
    (segments.at(-1) ?? '').includes('.')
  )
}
