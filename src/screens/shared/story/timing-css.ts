import { DONATION_INTRODUCTIONS } from '#domain/receiver/introductions.ts'
import { TIMINGS } from '#domain/timings.ts'
import { timingCss } from '#screens/shared/kit/timing-css.ts'

/** The flap is open when the sentence comes. */
const FLAP = `.opens .flap{animation:flap ${TIMINGS.envelopeOpens}ms ${TIMINGS.introductionTextAfter - TIMINGS.envelopeOpens}ms both}`

/** The waits of the story. */
export const STORY_TIMING_CSS =
  timingCss(
    Object.values(DONATION_INTRODUCTIONS).flatMap(({ waitMs, textAfterMs }) => [waitMs, textAfterMs]),
  ) + FLAP

/** The waits of the screens behind it. */
export const END_TIMING_CSS = timingCss([TIMINGS.thanksTextAfter])
