import type { WritableAtom } from 'nanostores'
import { kept, lasting, onReturn, readFrom, type Shape, writeTo } from '#screens/shared/storage/persisted.ts'
import { choicesOfTab } from '#screens/shared/storage/tab.ts'
import type { StorageKey } from '#wire/browser-names.ts'

/** How a tab remembers that a choice was taken back: without it the choice of another tab would come instead. */
const TAKEN_BACK = ''

/**
 * A part of the order that this tab makes: another tab makes another, and neither changes what the other shows. What
 * was chosen last, in whatever tab, is where a new tab begins.
 */
export function choice<T>(key: StorageKey, initial: T, shape: Shape<T>): WritableAtom<T> {
  return kept({
    load: () => {
      const tab = choicesOfTab()
      if (tab?.getItem(key) != null) return readFrom(tab, key, shape) ?? initial
      const last = readFrom(lasting, key, shape)
      // From its first look on the tab has its own.
      if (last !== undefined && tab) writeTo(tab, key, shape, last)
      return last ?? initial
    },
    save: value => {
      const tab = choicesOfTab()
      writeTo(tab, key, shape, value)
      writeTo(lasting, key, shape, value)
      if (tab && tab !== lasting && shape.write(value) === undefined) tab.setItem(key, TAKEN_BACK)
    },
    watch: onReturn,
  })
}
