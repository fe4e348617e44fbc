/**
 * Every wait and fade of the product, in milliseconds (product.md#waits-and-motion).
 * With reduced motion, or in calm mode, each wait and fade of a screen is 0.
 */
export const TIMINGS = {
  /** Any screen fading in, or out before the next. */
  routeFade: 1_000,
  /** The cover that hides a receiver screen until its card is loaded. */
  receiverCoverFade: 2_000,
  /** The flap of the envelope on a receiver's first screen, turning open until the text comes. */
  envelopeOpens: 600,
  /** The design phrase of the sender's flow. */
  introFade: 7_000,
  /** "Touch to continue". */
  hintAfter: 2_000,

  /** The splash: its three steps; a tap counts from the last. */
  splashFirstStep: 1_500,
  splashSecondStep: 3_500,
  splashThirdStep: 6_000,
  splashTapAfter: 6_000,

  /** The packages screen on a first visit. */
  packagesHeaderAfter: 1_000,
  packagesRestAfter: 5_000,

  /** The story: when the text comes, and when a tap counts. Which screen has which: `receiver/introductions.ts`. */
  introductionTextAfter: 2_000,
  introductionLateTextAfter: 7_000,
  introductionWait: 2_000,
  introductionFirstWait: 3_000,
  introductionLongWait: 5_000,

  /** select-ngo: the hint that shows before the list. */
  selectNgoHint: 8_000,
  thanksTextAfter: 4_000,
  thanksTapAfter: 6_000,

  /** Analytics: at most one event of a kind in this time. */
  scrollThrottle: 200,
  touchScrollThrottle: 100,
  orientationThrottle: 5_000,
  pollDebounce: 2_000,
  /** A failed session creation is tried again after this, doubled each time. */
  sessionRetryBase: 500,
} as const
