import { useSyncExternalStore } from 'react'
import { isChoice, type Shown } from './shown.ts'

const KEY = 'studio:languages'
const listeners = new Set<() => void>()
let chosen: Shown | undefined

/** The operator's choice, remembered by the browser; all languages at first. */
function current(): Shown {
  if (chosen === undefined) {
    const kept = localStorage.getItem(KEY)
    chosen = isChoice(kept) ? kept : 'all'
  }
  return chosen
}

export function choose(shown: Shown): void {
  chosen = shown
  localStorage.setItem(KEY, shown)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice, and again whenever it changes. */
export const useChoice = (): Shown => useSyncExternalStore(subscribe, current)
