import type { WritableAtom } from 'nanostores'
import { $consent } from '#screens/shared/consent/consent.store.ts'
import {
  FLAG,
  kept,
  onReturn,
  persistentStorage,
  readFrom,
  writeTo,
} from '#screens/shared/storage/persisted.ts'
import { choicesOfTab } from '#screens/shared/storage/tab.ts'
import {
  CAME_FROM_RECEIVER_KEY,
  NGO_LIST_VISITED_KEY,
  PACKAGES_VISITED_KEY,
  type StorageKey,
} from '#wire/browser-names.ts'

/**
 * A note that this visitor has done something, such as seen a screen. After a plain no to the consent question it is
 * kept in the tab only (product.md#privacy); `choose` moves earlier notes there.
 */
function visitFlag(key: StorageKey): WritableAtom<boolean> {
  return kept<boolean>({
    load: () => [persistentStorage, choicesOfTab()].some(place => readFrom(place, key, FLAG) === true),
    save: done =>
      writeTo($consent.get()?.choice === 'reject' ? choicesOfTab() : persistentStorage, key, FLAG, done),
    watch: onReturn,
  })
}

/** Has this visitor seen the packages before? Then nothing on that screen waits. */
export const $packagesVisited = visitFlag(PACKAGES_VISITED_KEY)

/** Has this visitor been on the list of organisations? */
export const $ngoListVisited = visitFlag(NGO_LIST_VISITED_KEY)

/** Did this visitor open a gift before giving one? Set where a recipient leaves the thanks screen. */
export const $cameFromReceiver = visitFlag(CAME_FROM_RECEIVER_KEY)
