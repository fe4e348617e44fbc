/** How tokens that all processes share come: one every `stepUs`, and so many saved up as fit in `burstUs`. */
export interface TokenRate {
  readonly stepUs: number
  readonly burstUs: number
}

export interface Grant {
  /** How many of the wanted tokens are there, 0 or more. */
  readonly granted: number
  /** What to keep in the place of what was known. */
  readonly nextAt: number
  /** Until the next token, where none was there; otherwise 0. µs */
  readonly waitUs: number
}

/**
 * Tokens that are there now (the generic cell rate algorithm: one number says how many were taken).
 * @param known what was kept last, µs; undefined at the very first. Further ahead than taking can bring it, it was
 *   written by a clock that has been put back since: then as many as can be are taken, and they go on coming at once.
 * @param now µs, of the same clock
 */
export function grantTokens(
  known: number | undefined,
  now: number,
  wanted: number,
  { stepUs, burstUs }: TokenRate,
): Grant {
  const taken = Math.min(Math.max(known ?? now, now), now + burstUs)
  const there = Math.floor((now + burstUs - taken) / stepUs)
  const granted = Math.max(0, Math.min(wanted, there))
  return {
    granted,
    nextAt: taken + granted * stepUs,
    waitUs: granted > 0 ? 0 : taken + stepUs - (now + burstUs),
  }
}
