import { dayInUtc } from './days.ts'
import { DAY_MS, HOUR_MS } from './durations.ts'

/** The parts of the site whose state anyone can read. That the site itself works, its page shows. */
export const STATUS_PARTS = ['payments', 'mail', 'ledger'] as const

export type StatusPart = (typeof STATUS_PARTS)[number]

/** `unknown`: nobody has looked for an hour. */
export type PartState = 'fine' | 'disturbed' | 'unknown'

/** When a part did not work. Epoch ms UTC. */
export interface Disturbance {
  readonly part: StatusPart
  readonly since: number
  /** null while it lasts. */
  readonly until: number | null
}

/** A disturbance as it is shown: its day and whole hours, so that nobody learns to the minute what works against us. */
export interface Incident {
  readonly part: StatusPart
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  /** Begun hours; null while it lasts. */
  readonly hours: number | null
}

export interface Status {
  readonly parts: Readonly<Record<StatusPart, PartState>>
  /** `YYYY-MM-DD`, UTC: since when the checks are made without a break, as far as it is shown; null where they are not. */
  readonly watched: string | null
  /** The latest first. */
  readonly incidents: readonly Incident[]
}

/** For so long a disturbance is shown, and kept. */
export const INCIDENTS_SHOWN_MS = 90 * DAY_MS

/** For so long it counts that somebody has looked. */
const SEEN_FOR_MS = HOUR_MS

/** The site's own checks, epoch ms UTC; null when none was made. */
export interface Watch {
  /** Since when they are made without a break. */
  readonly since: number | null
  readonly last: number | null
}

/** Since when the checks are made without a break, now that one is made. */
export const watchedSince = ({ since, last }: Watch, now: number): number =>
  since !== null && last !== null && now - last <= SEEN_FOR_MS ? since : now

/**
 * What is shown of the site's own checks.
 * @param now epoch ms UTC
 */
export function statusOf(
  disturbances: readonly Disturbance[],
  { since: watchedFrom, last }: Watch,
  now: number,
): Status {
  const isSeen = last !== null && now - last <= SEEN_FOR_MS
  const stateOf = (part: StatusPart): PartState => {
    if (!isSeen) return 'unknown'
    return disturbances.some(each => each.part === part && each.until === null) ? 'disturbed' : 'fine'
  }
  return {
    parts: { payments: stateOf('payments'), mail: stateOf('mail'), ledger: stateOf('ledger') },
    watched:
      isSeen && watchedFrom !== null ? dayInUtc(Math.max(watchedFrom, now - INCIDENTS_SHOWN_MS)) : null,
    incidents: disturbances
      .filter(({ until }) => until === null || until > now - INCIDENTS_SHOWN_MS)
      .toSorted((one, other) => other.since - one.since)
      .map(({ part, since, until }) => ({
        part,
        day: dayInUtc(since),
        hours: until === null ? null : Math.max(1, Math.ceil((until - since) / HOUR_MS)),
      })),
  }
}
