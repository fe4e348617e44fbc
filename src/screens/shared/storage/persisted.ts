import { atom, type WritableAtom } from 'nanostores'
import { PROBE_KEY, type StorageKey, TAB_NAME_PREFIX } from '#wire/browser-names.ts'

/** A place for texts under keys, as browsers offer it. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** How a value is written down, and read back from a text that anybody may have changed. */
export interface Codec<T> {
  /** The value, or undefined for a text that says nothing valid. */
  readonly read: (text: string) => T | undefined
  /** undefined removes the entry. */
  readonly write: (value: T) => string | undefined
}

/**
 * The choices of a visitor whose browser blocks storage: every screen is a page of its own, so they travel in the
 * tab's name, which lives as long as the tab and is emptied when another site is opened there.
 *
 * Nothing is remembered beside the name: the scripts of a page are bundled apart, each with this module of its own,
 * and none may write over what another has noted meanwhile.
 */
export function tabNameStorage(tab: { name: string }): TextStorage {
  const note = (entries: Readonly<Record<string, string>>): void => {
    tab.name = TAB_NAME_PREFIX + JSON.stringify(entries)
  }
  return {
    getItem: key => readNote(tab.name)[key] ?? null,
    setItem: (key, text) => note({ ...readNote(tab.name), [key]: text }),
    removeItem: key => {
      const { [key]: _, ...rest } = readNote(tab.name)
      note(rest)
    },
  }
}

/** What an earlier page noted; any site may have written the name, so only texts under texts count. */
function readNote(name: string): Record<string, string> {
  try {
    const note: unknown = name.startsWith(TAB_NAME_PREFIX)
      ? JSON.parse(name.slice(TAB_NAME_PREFIX.length))
      : undefined
    if (typeof note !== 'object' || note === null || Array.isArray(note)) return {}
    return Object.fromEntries(
      Object.entries(note).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** The browser's storage if it takes a value, else undefined (blocked, full, or not a browser). */
export function usableStorage(open: () => Storage): Storage | undefined {
  try {
    const storage = open()
    storage.setItem(PROBE_KEY, '1')
    storage.removeItem(PROBE_KEY)
    return storage
  } catch {
    return undefined
  }
}

const inBrowser = typeof window !== 'undefined'
const local = inBrowser ? usableStorage(() => localStorage) : undefined

/** Where choices go when the browser keeps nothing for us; undefined where it does. */
export const fallbackStorage: TextStorage | undefined =
  inBrowser && !local ? tabNameStorage(window) : undefined

/** What outlives the tab, if anything does. */
export const persistentStorage: TextStorage | undefined = local ?? fallbackStorage

/** How a store is kept, beside its value in the page. */
interface StoreOptions<T> {
  readonly load: () => T
  readonly save: (value: T) => void
  /** What may have changed it behind this page's back. */
  readonly watch: (look: () => void) => void
}

/** A store that begins with what is kept, and keeps what it is set to. */
/* @__NO_SIDE_EFFECTS__ */
export function kept<T>({ load, save, watch }: StoreOptions<T>): WritableAtom<T> {
  const store = atom(load())
  const show = store.set
  store.set = value => {
    save(value)
    show(value)
  }
  if (inBrowser) watch(() => show(load()))
  return store
}

/** Calls when Back brings the page out of the browser's memory: its visitor may have chosen elsewhere meanwhile. */
export function onReturn(look: () => void): void {
  window.addEventListener('pageshow', event => event.persisted && look())
}

/** A text in `place` under `key`, if it says something valid. */
export function readFrom<T>(place: TextStorage | undefined, key: string, codec: Codec<T>): T | undefined {
  const text = place?.getItem(key) ?? undefined
  return text === undefined ? undefined : codec.read(text)
}

/** Writes a value down, or removes the entry where there is nothing to write. */
export function writeTo<T>(place: TextStorage | undefined, key: string, codec: Codec<T>, value: T): void {
  const text = codec.write(value)
  if (text === undefined) place?.removeItem(key)
  else place?.setItem(key, text)
}

/** A store that outlives the tab, under `key`, the same in every tab; what cannot be read is `initial`. */
/* @__NO_SIDE_EFFECTS__ */
export function persisted<T>(key: StorageKey, initial: T, codec: Codec<T>): WritableAtom<T> {
  return kept({
    load: () => readFrom(persistentStorage, key, codec) ?? initial,
    save: value => writeTo(persistentStorage, key, codec, value),
    watch: look => {
      onReturn(look)
      window.addEventListener('storage', event => (event.key === key || event.key === null) && look())
    },
  })
}

/** A text out of a known set, or nothing yet. */
/* @__NO_SIDE_EFFECTS__ */
export function oneOf<T extends string>(isKnown: (text: unknown) => text is T): Codec<T | undefined> {
  return { read: text => (isKnown(text) ? text : undefined), write: value => value }
}

/** Something that has happened, or not yet. */
export const FLAG: Codec<boolean> = {
  read: text => text === 'yes',
  write: value => (value ? 'yes' : undefined),
}
