import type { WritableAtom } from 'nanostores'
import {
  type Codec,
  kept,
  onReturn,
  persistentStorage,
  readFrom,
  writeTo,
} from '#screens/shared/storage/persisted.ts'
import { choicesOfTab } from '#screens/shared/storage/tab.ts'
import type { StorageKey } from '#wire/browser-names.ts'

/** How a tab remembers that a choice was taken back: without it the choice of another tab would come instead. */
const TAKEN_BACK = ''

/** What this tab has chosen, else what was chosen last in any tab; undefined where that says nothing valid. */
export function chosenHere<T>(key: StorageKey, codec: Codec<T>): T | undefined {
  const tab = choicesOfTab()
  if (tab?.getItem(key) != null) return readFrom(tab, key, codec)
  const last = readFrom(persistentStorage, key, codec)
  // From its first look on the tab has its own.
  if (last !== undefined && tab) writeTo(tab, key, codec, last)
  return last
}

/**
 * A part of the order that this tab makes: another tab makes another, and neither changes what the other shows. A
 * new tab begins with what was chosen last in any tab.
 */
/* @__NO_SIDE_EFFECTS__ */
export function choice<T>(key: StorageKey, initial: T, codec: Codec<T>): WritableAtom<T> {
  return kept({
    load: () => chosenHere(key, codec) ?? initial,
    save: value => {
      const tab = choicesOfTab()
      writeTo(tab, key, codec, value)
      writeTo(persistentStorage, key, codec, value)
      if (tab && tab !== persistentStorage && codec.write(value) === undefined) tab.setItem(key, TAKEN_BACK)
    },
    watch: onReturn,
  })
}
