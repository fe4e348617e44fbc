import { HOUR_MS } from '../durations.ts'

/**
 * The links of the cards of an order of many are shown once: by the first press, to the browser that pressed, for so
 * long as it takes to save and print them. Later they can only be made anew.
 */
export const SHOWING_MS = HOUR_MS

/** A browser names its press with a value of its own, so that a reload, or a file, is of the same showing. */
const PRESS_SHAPE = /^[0-9a-f]{40}$/

/** Can this text name a press? */
export const isPressShaped = (text: string): boolean => PRESS_SHAPE.test(text)

/** What is kept of the last time that links were shown. */
export interface KeptShowing {
  /** The digest of the press that has them; null before the first. */
  readonly digest: string | null
  /** Epoch ms UTC; null before the first. */
  readonly at: number | null
}

/**
 * What a press that wants to see links is answered with: `again`, since it is the press that has them; `first`, since
 * nobody has; `over` for every other.
 * @param digest of the press
 * @param now epoch ms UTC
 */
export function showingFor(kept: KeptShowing, digest: string, now: number): 'again' | 'first' | 'over' {
  if (kept.at === null) return 'first'
  return kept.digest === digest && Math.abs(now - kept.at) < SHOWING_MS ? 'again' : 'over'
}
