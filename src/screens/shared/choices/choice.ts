import type { WritableAtom } from '#screens/shared/storage/atom.ts'
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

/**
 * A part of the order that this tab makes: another tab makes another, and neither changes what the other shows. A
 * new tab begins with what was chosen last in any tab.
 */
export function choice<T>(key: StorageKey, initial: T, codec: Codec<T>): WritableAtom<T> {
  return kept({
    load: () => {
      const tab = choicesOfTab()
      if (tab?.getItem(key) != null) return readFrom(tab, key, codec) ?? initial
      const last = readFrom(persistentStorage, key, codec)
      // From its first look on the tab has its own.
      if (last !== undefined && tab) writeTo(tab, key, codec, last)
      return last ?? initial
    },
    save: value => {
      const tab = choicesOfTab()
      writeTo(tab, key, codec, value)
      writeTo(persistentStorage, key, codec, value)
      if (tab && tab !== persistentStorage && codec.write(value) === undefined) tab.setItem(key, TAKEN_BACK)
    },
    watch: onReturn,
  })
}
