import { TIMINGS } from '#domain/timings.ts'

/** The class of an element that fades in `ms` after its screen has come. */
export function after(ms: number): string {
  return `after-${ms}`
}

/**
 * One rule for each of these waits, since the page's policy allows no inline style attributes.
 * @param fadeMs how long each fade takes
 */
export function timingCss(waits: readonly number[], fadeMs: number = TIMINGS.routeFade): string {
  return [...new Set(waits)].map(ms => `.${after(ms)}{animation:appear ${fadeMs}ms ${ms}ms both}`).join('')
}
