import { type TabValue, tabChoice } from '#screens/shared/storage/tab.ts'
import type { StorageKey } from '#wire/browser-names.ts'

/**
 * The page of ours that the visitor came to this screen from, as a path, kept for the tab: a reload or another
 * language here must not lose it. `counts`: could it be one to go back to?
 */
export function returnPath(key: StorageKey, counts: (path: string) => boolean): TabValue<string> {
  const kept = tabChoice<string>(key, {
    read: path => (/^\/(?!\/)/.test(path) && counts(path) ? path : undefined),
    write: path => path,
  })
  const from = document.referrer && new URL(document.referrer)
  if (from && from.origin === location.origin && counts(from.pathname)) kept.set(from.pathname)
  return kept
}
