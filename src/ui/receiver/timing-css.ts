import { DONATION_INTRODUCTIONS } from '#domain/receiver/introductions.ts'
import { TIMINGS } from '#domain/timings.ts'

/** The class of an element that fades in `ms` after its screen has come. */
export function after(ms: number): string {
  return `after-${ms}`
}

/** One rule for each wait of the tables, since the page's policy allows no inline style attributes. */
export const TIMING_CSS = [
  ...new Set([
    ...Object.values(DONATION_INTRODUCTIONS).flatMap(({ waitMs, textAfterMs }) => [waitMs, textAfterMs]),
    TIMINGS.thanksTextAfter,
  ]),
]
  .map(ms => `.${after(ms)}{animation:appear 1s ${ms}ms both}`)
  .join('')
