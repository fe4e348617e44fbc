import type { StorageKey } from '#wire/browser-names.ts'
import { readFrom, type Shape, type Strings, travelling, usableStorage, writeTo } from './persisted.ts'

/** A value that lives as long as the tab. Where storage is blocked it lives as long as the page. */
export interface TabValue<T> {
  get(): T | undefined
  set(value: T | undefined): void
}

let storage: Storage | undefined
let looked = false

/** Keeps a value in session storage under `key`; a text that cannot be read counts as none. */
export function tabValue<T>(key: StorageKey, shape: Shape<T>): TabValue<T> {
  return keptBy(sessionOfTab, key, shape)
}

/**
 * The same for a choice, which is nobody's secret: where storage is blocked it travels from page to page with the
 * other choices.
 */
export function tabChoice<T>(key: StorageKey, shape: Shape<T>): TabValue<T> {
  return keptBy(choicesOfTab, key, shape)
}

/** Where this tab keeps its choices, if it can. */
export function choicesOfTab(): Strings | undefined {
  return sessionOfTab() ?? travelling
}

function keptBy<T>(place: () => Strings | undefined, key: string, shape: Shape<T>): TabValue<T> {
  let memory: T | undefined
  return {
    get: () => (place()?.getItem(key) == null ? memory : readFrom(place(), key, shape)),
    set(value) {
      memory = value
      if (value === undefined) place()?.removeItem(key)
      else writeTo(place(), key, shape, value)
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
