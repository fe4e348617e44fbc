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
  /** The latest first. */
  readonly incidents: readonly Incident[]
}

/** For so long a disturbance is shown, and kept. */
export const INCIDENTS_SHOWN_MS = 90 * DAY_MS

const SEEN_FOR_MS = HOUR_MS

/**
 * What is shown of the site's own checks.
 * @param lookedAt when they were last made, epoch ms UTC; null when never
 * @param now epoch ms UTC
 */
export function statusOf(disturbances: readonly Disturbance[], lookedAt: number | null, now: number): Status {
  const isSeen = lookedAt !== null && now - lookedAt <= SEEN_FOR_MS
  const stateOf = (part: StatusPart): PartState => {
    if (!isSeen) return 'unknown'
    return disturbances.some(each => each.part === part && each.until === null) ? 'disturbed' : 'fine'
  }
  return {
    parts: { payments: stateOf('payments'), mail: stateOf('mail'), ledger: stateOf('ledger') },
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
