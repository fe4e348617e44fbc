import { DONATION_INTRODUCTIONS } from '#domain/receiver/introductions.ts'
import { TIMINGS } from '#domain/timings.ts'
import { timingCss } from '#screens/shared/kit/timing-css.ts'

/** Every wait of a recipient's screens. */
export const TIMING_CSS = timingCss([
  ...Object.values(DONATION_INTRODUCTIONS).flatMap(({ waitMs, textAfterMs }) => [waitMs, textAfterMs]),
  TIMINGS.thanksTextAfter,
])
