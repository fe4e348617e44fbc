import type { StorageKey } from '#wire/browser-names.ts'
import {
  type Codec,
  fallbackStorage,
  persistentStorage,
  readFrom,
  type TextStorage,
  usableStorage,
  writeTo,
} from './persisted.ts'

/** A value that is kept in the browser, no store. Where storage is blocked it lives as long as the page. */
export interface TabValue<T> {
  get(): T | undefined
  set(value: T | undefined): void
}

let storage: Storage | undefined
let looked = false

/** Keeps a value in session storage under `key`; a text that cannot be read counts as none. */
/* @__NO_SIDE_EFFECTS__ */
export function tabValue<T>(key: StorageKey, codec: Codec<T>): TabValue<T> {
  return keptBy(sessionOfTab, key, codec)
}

/**
 * The same for a choice, which is nobody's secret: where storage is blocked it travels from page to page with the
 * other choices.
 */
/* @__NO_SIDE_EFFECTS__ */
export function tabChoice<T>(key: StorageKey, codec: Codec<T>): TabValue<T> {
  return keptBy(choicesOfTab, key, codec)
}

/** Where this tab keeps its choices, if it can. */
export function choicesOfTab(): TextStorage | undefined {
  return sessionOfTab() ?? fallbackStorage
}

/** The same for a value that outlives the tab, if anything does. */
/* @__NO_SIDE_EFFECTS__ */
export function lastingValue<T>(key: StorageKey, codec: Codec<T>): TabValue<T> {
  return keptBy(() => persistentStorage, key, codec)
}

function keptBy<T>(place: () => TextStorage | undefined, key: string, codec: Codec<T>): TabValue<T> {
  let memory: T | undefined
  return {
    get: () => (place()?.getItem(key) == null ? memory : readFrom(place(), key, codec)),
    set(value) {
      memory = value
      if (value === undefined) place()?.removeItem(key)
      else writeTo(place(), key, codec, value)
    },
  }
}

function sessionOfTab(): Storage | undefined {
  if (!looked) storage = usableStorage(() => sessionStorage)
  looked = true
  return storage
}

/** A codec for JSON, checked by `isValid`. */
/* @__NO_SIDE_EFFECTS__ */
export function json<T>(isValid: (value: unknown) => value is T): Codec<T> {
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
