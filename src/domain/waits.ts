/**
 * Every wait and fade of the product, in milliseconds (product.md#waits-and-motion).
 * With reduced motion, or in calm mode, each wait and fade of a screen is 0.
 * Each is a constant of its own, so that a script carries only those it uses; `timings.ts` puts them under one name.
 */

/** Any screen fading in, or out before the next. */
export const routeFade = 1_000
/** The flap of the envelope on a receiver's first screen, turning open until the text comes. */
export const envelopeOpens = 600
/** The design phrase of the sender's flow. */
export const introFade = 7_000
/** "Touch to continue". */
export const hintAfter = 2_000

/** The splash: its three steps; a tap counts from the last. */
export const splashFirstStep = 1_500
export const splashSecondStep = 3_500
export const splashThirdStep = 6_000
export const splashTapAfter = 6_000

/** The packages screen on a first visit. */
export const packagesHeaderAfter = 1_000
export const packagesRestAfter = 5_000

/** The story: when the text comes, and when a tap counts. Which screen has which: `receiver/introductions.ts`. */
export const introductionTextAfter = 2_000
export const introductionLateTextAfter = 7_000
export const introductionWait = 2_000
export const introductionFirstWait = 3_000
export const introductionLongWait = 5_000

/** select-ngo: the hint that shows before the list. */
export const selectNgoHint = 8_000
export const thanksTextAfter = 4_000
export const thanksTapAfter = 6_000

/** Analytics: at most one event of a kind in this time. */
export const scrollThrottle = 200
export const touchScrollThrottle = 100
export const orientationThrottle = 5_000
export const pollDebounce = 2_000
/** A failed session creation is tried again after this, doubled each time. */
export const sessionRetryBase = 500
