import type { Goal } from './threshold.ts'

/** What is counted must fit exactly; what is timed on a shared machine may vary this much before a run fails. */
const counted = (atMost: number): Goal => ({ atMost, tolerance: 0 })
const timed = (atMost: number, tolerance = 0.15): Goal => ({ atMost, tolerance })

export type ScreenKind = 'text' | 'island'

/** The rows of the quality table that this benchmark measures. */
export const GOALS = {
  screens: {
    text: { kilobytes: counted(15), requests: counted(5), script: undefined },
    island: { kilobytes: counted(90), requests: counted(9), script: counted(75) },
    fontsBeforePaint: counted(0),
    thirdParties: counted(0),
  },
  paint: {
    text: timed(1.25),
    island: timed(1.4),
    /** Of what a single-page app needs for the same. */
    singlePage: timed(0.5),
    interactionMs: timed(100, 0.3),
    blockedMs: timed(50, 0.3),
  },
  layoutShift: counted(0.01),
  tapMs: timed(100, 0.3),
  journey: { interactions: counted(12), seconds: timed(12), tapMs: timed(100, 0.3) },
  server: { published: timed(2), endpoint: timed(18), card: timed(25) },
  /** Publish in the Studio to the next visitor's page. */
  publishMs: timed(2_000, 0.15),
  lighthouse: { lost: counted(0), lostInAnyRun: counted(2) },
  memory: { megabytes: timed(200, 0), growthPerHour: timed(1, 0) },
  /** What must never happen. */
  none: counted(0),
  redemption: { p50: timed(2), p99: timed(5, 0.3) },
} as const
