import { useStore } from '@nanostores/react'
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

/**
 * A stored choice. The page as it was rendered, and its hydration, shows `onServer`; not the library's 'initial',
 * which in the browser is what the storage held.
 */
export function useChoice<T>(store: ReadableAtom<T>, onServer: T): T {
  return useStore(store, { ssr: () => onServer })
}

/** The currency of the amounts: the visitor's choice, else what the browser's languages suggest. */
export function useCurrency(language: Language): Currency {
  const chosen = useChoice($currency, undefined)
  const suggested = useBrowserValue(() => defaultCurrency(navigator.languages), defaultCurrency([language]))
  return chosen ?? suggested
}
