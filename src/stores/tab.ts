import { type Shape, travelling, usableStorage } from './persisted.ts'

/** A value that lives as long as the tab. Where storage is blocked it lives as long as the page. */
export interface TabValue<T> {
  get(): T | undefined
  set(value: T | undefined): void
}

type Strings = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

let storage: Storage | undefined
let looked = false

/** Keeps a value in session storage under `key`; a text that cannot be read counts as none. */
export function tabValue<T>(key: `gift:${string}`, shape: Shape<T>): TabValue<T> {
  return keptBy(sessionOfTab, key, shape)
}

/**
 * The same for a choice, which is nobody's secret: where storage is blocked it travels from page to page with the
 * other choices.
 */
export function tabChoice<T>(key: `gift:${string}`, shape: Shape<T>): TabValue<T> {
  return keptBy(() => sessionOfTab() ?? travellingStrings, key, shape)
}

const travellingStrings = travelling && stringsIn(travelling)

function stringsIn(entries: Record<string, string>): Strings {
  return {
    getItem: key => entries[key] ?? null,
    setItem: (key, text) => void Reflect.set(entries, key, text),
    removeItem: key => void Reflect.deleteProperty(entries, key),
  }
}

function keptBy<T>(place: () => Strings | undefined, key: string, { read, write }: Shape<T>): TabValue<T> {
  let memory: T | undefined
  return {
    get() {
      const text = place()?.getItem(key)
      return text === null || text === undefined ? memory : read(text)
    },
    set(value) {
      memory = value
      const text = value === undefined ? undefined : write(value)
      if (text === undefined) place()?.removeItem(key)
      else place()?.setItem(key, text)
    },
  }
}

function sessionOfTab(): Storage | undefined {
  if (!looked) storage = usableStorage(() => sessionStorage)
  looked = true
  return storage
}

/** A shape for JSON, checked by `isValid`. */
export function json<T>(isValid: (value: unknown) => value is T): Shape<T> {
  return {
    read: text => {
      try {
        const value: unknown = JSON.parse(text)
        return isValid(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    write: value => JSON.stringify(value),
  }
}
