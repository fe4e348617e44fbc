import type { ReadableAtom } from 'nanostores'
import { useSyncExternalStore } from 'react'
import type { Language } from '#domain/languages.ts'
import { type Currency, defaultCurrency } from '#domain/money/currency.ts'
import { $currency } from '#screens/shared/choices/currency.store.ts'

const never = () => () => {}

/** A value that only the browser knows; the page as it was rendered (and its hydration) shows `onServer`. */
export function useBrowserValue<T>(read: () => T, onServer: T): T {
  return useSyncExternalStore(never, read, () => onServer)
}

/** The value of a store, as it is now and whenever it changes. */
export function useStore<T>(store: ReadableAtom<T>, onServer = (): T => store.get()): T {
  return useSyncExternalStore(
    changed => store.listen(changed),
    () => store.get(),
    onServer,
  )
}

/** A stored choice. The page as it was rendered, and its hydration, shows `onServer`. */
export function useChoice<T>(store: ReadableAtom<T>, onServer: T): T {
  return useStore(store, () => onServer)
}

/** The currency of the amounts: the visitor's choice, else what the browser's languages suggest. */
export function useCurrency(language: Language): Currency {
  const chosen = useChoice($currency, undefined)
  const suggested = useBrowserValue(() => defaultCurrency(navigator.languages), defaultCurrency([language]))
  return chosen ?? suggested
}
