import { API_PATHS, INTERNAL_PATHS, PICTURE_PATHS, PUBLISHED_PAGES, parsePath, STUDIO_PATH } from '#paths'

/**
 * What the service worker does with a page that is opened (docs/decisions/0041-offline.md): keeps it for when there is
 * no connection; only shows the offline screen where the page cannot be had; or has no part in it.
 */
export type Handling = 'keep' | 'cover' | 'leave'

/** The published pages that may be kept. The build writes them into the worker, which stays small so. */
export const keptPages = (): readonly string[] =>
  PUBLISHED_PAGES.filter(({ noStore }) => !noStore).map(({ path }) => path)

/** Calls, the operator's pages, the stand-ins'. */
const LEFT = [API_PATHS, INTERNAL_PATHS, PICTURE_PATHS, STUDIO_PATH, '/_']

/**
 * By the page's address. Kept is what stands in the list of published pages, under its own address with a language and
 * with nothing behind it: no key, no session and no token can be in it.
 * @param search with its question mark, or empty
 * @param kept what `keptPages` gives
 */
export function handlingOf(pathname: string, search: string, kept: readonly string[]): Handling {
  const { language, rest } = parsePath(pathname)
  if (language && search === '' && kept.includes(rest)) return 'keep'
  const isFile = /\.\w+$/.test(pathname)
  return isFile || LEFT.some(start => pathname.startsWith(start)) ? 'leave' : 'cover'
}
