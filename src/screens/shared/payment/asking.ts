/** How often was asked, and how long nobody has given a proper answer. */
export interface Asking {
  readonly times: number
  /** Waits since the last proper answer, ms. */
  readonly troubledMs: number
}

export const NOT_ASKED: Asking = { times: 0, troubledMs: 0 }

const FIRST_POLL_MS = 2_000
const LONGEST_POLL_MS = 30_000

/** How long a page that shows nothing yet waits through troubles before it says so: six questions. */
export const QUIET_WITH_NOTHING_MS = 60_000
/** The same where something is shown meanwhile: a gift, or that the payment is on its way. */
export const QUIET_BESIDE_MS = 10 * 60_000

/** How long to wait before the next quiet question: 2 s, doubled each time, at most 30 s. */
export function pollDelay(asked: number): number {
  return Math.min(FIRST_POLL_MS * 2 ** asked, LONGEST_POLL_MS)
}

/** Whoever answers may ask for more time than that. @returns ms */
export function waitAfter({ times }: Asking, retryAfterSeconds: number | undefined): number {
  return Math.max(pollDelay(times), (retryAfterSeconds ?? 0) * 1_000)
}

/** After a proper answer: earlier troubles no longer count. */
export function askedWell({ times }: Asking): Asking {
  return { times: times + 1, troubledMs: 0 }
}

/**
 * A trouble that passes by itself, mostly.
 * @param longestMs how long troubles in a row are waited through
 * @returns how it goes on, after so many ms; undefined where it was waited long enough
 */
export function askedInVain(
  asking: Asking,
  retryAfterSeconds: number | undefined,
  longestMs: number,
): { readonly waitMs: number; readonly next: Asking } | undefined {
  const waitMs = waitAfter(asking, retryAfterSeconds)
  const troubledMs = asking.troubledMs + waitMs
  return troubledMs > longestMs ? undefined : { waitMs, next: { times: asking.times + 1, troubledMs } }
}
