import { persistentAtom, setPersistentEngine, windowPersistentEvents } from '@nanostores/persistent'
import type { WritableAtom } from 'nanostores'

type Entries = Record<string, string>

/** How a value is written down, and read back from a text that anybody may have changed. */
export interface Shape<T> {
  /** The value, or undefined for a text that says nothing valid. */
  readonly read: (text: string) => T | undefined
  /** undefined removes the entry. */
  readonly write: (value: T) => string | undefined
}

const NOTE = 'gift-choices:'

/**
 * The choices of a visitor whose browser blocks storage: every screen is a page of its own, so they travel in the
 * tab's name, which lives as long as the tab and is emptied when another site is opened there.
 */
export function tabNameStorage(tab: { name: string }): Entries {
  const entries = readNote(tab.name)
  const note = (): true => {
    tab.name = NOTE + JSON.stringify(entries)
    return true
  }
  return new Proxy(entries, {
    set: (target, key, value: string) => Reflect.set(target, key, value) && note(),
    deleteProperty: (target, key) => Reflect.deleteProperty(target, key) && note(),
  })
}

/** What an earlier page noted; any site may have written the name, so only texts under texts count. */
function readNote(name: string): Entries {
  try {
    const note: unknown = name.startsWith(NOTE) ? JSON.parse(name.slice(NOTE.length)) : undefined
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
    storage.setItem('gift:probe', '1')
    storage.removeItem('gift:probe')
    return storage
  } catch {
    return undefined
  }
}

/** Where choices go when the browser keeps nothing for us; undefined where it does. */
export const travelling: Entries | undefined =
  typeof window === 'undefined' || usableStorage(() => localStorage) ? undefined : tabNameStorage(window)

if (typeof window !== 'undefined')
  setPersistentEngine(travelling ?? (localStorage as unknown as Entries), windowPersistentEvents)

/** A store kept in the browser's storage under `key`; what cannot be read is `initial`. */
export function persisted<T>(key: `gift:${string}`, initial: T, shape: Shape<T>): WritableAtom<T> {
  return persistentAtom<T>(key, initial, {
    decode: text => shape.read(text) ?? initial,
    // The library's own type forgets that undefined removes the entry.
    encode: value => shape.write(value) as string,
  })
}

/** A text out of a known set, or nothing yet. */
export function oneOf<T extends string>(isKnown: (text: unknown) => text is T): Shape<T | undefined> {
  return { read: text => (isKnown(text) ? text : undefined), write: value => value }
}

/** Something that has happened, or not yet. */
export const FLAG: Shape<boolean> = {
  read: text => text === 'yes',
  write: value => (value ? 'yes' : undefined),
}
