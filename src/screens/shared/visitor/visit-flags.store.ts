import { readAnswer } from '#screens/shared/consent/consent.store.ts'
import { FLAG, persistentStorage, readFrom, writeTo } from '#screens/shared/storage/persisted.ts'
import { choicesOfTab } from '#screens/shared/storage/tab.ts'
import {
  CAME_FROM_RECEIVER_KEY,
  NGO_LIST_VISITED_KEY,
  PACKAGES_VISITED_KEY,
  type StorageKey,
} from '#wire/browser-names.ts'

/** Is this note there? For a screen that makes none. */
export function isNoted(key: StorageKey): boolean {
  return [persistentStorage, choicesOfTab()].some(place => readFrom(place, key, FLAG) === true)
}

/** A note that a visitor has done something. */
interface VisitFlag {
  get(): boolean
  set(done: boolean): void
}

/**
 * A note that this visitor has done something, such as seen a screen. After a plain no to the consent question it is
 * kept in the tab only (product.md#privacy); `choose` moves earlier notes there. No store: nothing waits for it, and the
 * list of organisations needs no other.
 */
/* @__NO_SIDE_EFFECTS__ */
function visitFlag(key: StorageKey): VisitFlag {
  return {
    get: () => isNoted(key),
    set: done =>
      writeTo(readAnswer()?.choice === 'reject' ? choicesOfTab() : persistentStorage, key, FLAG, done),
  }
}

/** Has this visitor seen the packages before? Then nothing on that screen waits. */
export const packagesVisited = visitFlag(PACKAGES_VISITED_KEY)

/** Has this visitor been on the list of organisations? */
export const ngoListVisited = visitFlag(NGO_LIST_VISITED_KEY)

/** Did this visitor open a gift before giving one? Set where a recipient leaves the thanks screen. */
export const cameFromReceiver = visitFlag(CAME_FROM_RECEIVER_KEY)
