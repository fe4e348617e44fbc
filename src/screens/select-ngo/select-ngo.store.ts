import type { Points } from '#domain/redemption/points.ts'
import { SPLIT_KEY } from '#wire/browser-names.ts'

interface KeptSplit {
  readonly card: string
  readonly points: Points
}

/**
 * A half-made split, kept in this tab only (product.md#split), so that a reload loses nothing.
 * Anything that is not a table of whole points is dropped; blocked storage keeps nothing.
 */
export function readSplit(card: string): Points | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(SPLIT_KEY) ?? 'null') as KeptSplit | null
    if (kept?.card !== card || typeof kept.points !== 'object') return undefined
    return Object.fromEntries(
      Object.entries(kept.points).filter(([, points]) => Number.isSafeInteger(points) && points > 0),
    )
  } catch {
    return undefined
  }
}

/** Keeps the split of a card, or forgets it when there is none left. */
export function keepSplit(card: string, points: Points): void {
  try {
    if (Object.keys(points).length === 0) sessionStorage.removeItem(SPLIT_KEY)
    else sessionStorage.setItem(SPLIT_KEY, JSON.stringify({ card, points } satisfies KeptSplit))
  } catch {
    // Blocked storage: the split lives as long as the page.
  }
}
