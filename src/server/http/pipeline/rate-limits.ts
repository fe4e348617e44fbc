import { isIPv6 } from 'node:net'
import { Problem } from '#domain/problems.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { LimitName, RateLimits } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/log.ts'

/** So many uses at once; they come back evenly over the time. */
export interface Limit {
  readonly uses: number
  readonly perMs: number
  /** The limit of all visitors together. When it is spent, the operator gets an alarm. */
  readonly global?: number
}

const TEN_MINUTES = 10 * 60_000

/**
 * All limits in one place. A school behind one address must never reach them; a script that tests payment cards or
 * guesses keys does.
 */
export const LIMITS: Readonly<Record<LimitName, Limit>> = {
  gateway: { uses: 60, perMs: TEN_MINUTES, global: 1200 },
  success: { uses: 600, perMs: TEN_MINUTES },
  'send-email': { uses: 60, perMs: TEN_MINUTES },
  // One mailbox gets one card. A whole class behind one address may claim its cards.
  'free-claim': { uses: 40, perMs: TEN_MINUTES, global: 400 },
  newsletter: { uses: 30, perMs: TEN_MINUTES, global: 400 },
  'analytics-session': { uses: 300, perMs: TEN_MINUTES },
  // Scrolling alone sends five events a second. A large event counts as several (`costOfEvent`).
  'analytics-event': { uses: 6000, perMs: TEN_MINUTES },
  'card-read': { uses: 1200, perMs: TEN_MINUTES },
  'card-miss': { uses: 30, perMs: TEN_MINUTES },
  redeem: { uses: 120, perMs: TEN_MINUTES },
  print: { uses: 30, perMs: TEN_MINUTES },
  'lost-link': { uses: 20, perMs: TEN_MINUTES, global: 600 },
  // A statement takes two forms; a withdrawal behind a link takes one.
  withdrawal: { uses: 40, perMs: TEN_MINUTES, global: 1200 },
  certificate: { uses: 40, perMs: TEN_MINUTES, global: 1200 },
  received: { uses: 40, perMs: TEN_MINUTES, global: 1200 },
  // Answered from memory. Programs that others wrote ask too.
  'public-read': { uses: 600, perMs: TEN_MINUTES },
  // Wrong tokens of the operator, in the form and in calls alike.
  'operator-login': { uses: 10, perMs: TEN_MINUTES },
  'operator-call': { uses: 600, perMs: TEN_MINUTES },
}

/** The most visitors remembered per limit. Beyond it the visitor who was seen longest ago is forgotten. */
const MOST_VISITORS = 20_000
const EVERYBODY = '*'

type Size = Pick<Limit, 'uses' | 'perMs'>

interface Bucket {
  uses: number
  at: number
}

/**
 * Token buckets in memory, per limit and visitor. They fill by the monotonic clock: the system's clock may be set back
 * by an hour, and then no bucket would fill for that hour.
 */
export function createRateLimits({
  monotonic,
  log,
  table = LIMITS,
  mostVisitors = MOST_VISITORS,
}: {
  monotonic: MonotonicClock
  log: Log
  table?: Readonly<Record<LimitName, Limit>>
  mostVisitors?: number
}): RateLimits {
  const buckets = new Map<LimitName, Map<string, Bucket>>()
  const alarmedAt = new Map<LimitName, number>()

  const filledNow = (known: Bucket | undefined, { uses, perMs }: Size): number =>
    known ? Math.min(uses, known.uses + ((monotonic() - known.at) / perMs) * uses) : uses

  /** Seconds until `cost` uses can be had, at least one. */
  const waitFor = (cost: number, filled: number, { uses, perMs }: Size): number =>
    Math.max(1, Math.ceil(((cost - filled) / uses) * (perMs / 1000)))

  /** Seconds to wait, or 0 when the uses are granted. */
  const take = (name: LimitName, who: string, size: Size, cost: number): number => {
    const visitors = buckets.get(name) ?? new Map<string, Bucket>()
    buckets.set(name, visitors)
    const filled = filledNow(visitors.get(who), size)
    const granted = filled >= cost
    // The entry is put at the end again, so that the map's order is the order of last use.
    visitors.delete(who)
    visitors.set(who, { uses: granted ? filled - cost : filled, at: monotonic() })
    if (visitors.size > mostVisitors) {
      const [oldest] = visitors.keys()
      if (oldest !== undefined) visitors.delete(oldest)
    }
    return granted ? 0 : waitFor(cost, filled, size)
  }

  return {
    check(name, who) {
      const filled = filledNow(buckets.get(name)?.get(visitorOf(who)), table[name])
      if (filled < 1)
        throw new Problem('too-many-requests', { retryAfterSeconds: waitFor(1, filled, table[name]) })
    },
    use(name, who, cost = 1) {
      const { uses, perMs, global } = table[name]
      const wait = take(name, visitorOf(who), { uses, perMs }, Math.min(cost, uses))
      if (wait > 0) throw new Problem('too-many-requests', { retryAfterSeconds: wait })
      if (global === undefined) return
      const globalWait = take(name, EVERYBODY, { uses: global, perMs }, Math.min(cost, global))
      if (globalWait === 0) return
      if (monotonic() - (alarmedAt.get(name) ?? Number.NEGATIVE_INFINITY) >= perMs) {
        alarmedAt.set(name, monotonic())
        log.error(
          'limit-of-all-visitors-spent',
          new Error(`the limit ${name} of all visitors together is spent`),
          { limit: name },
        )
      }
      throw new Problem('too-many-requests', { retryAfterSeconds: globalWait })
    },
  }
}

/** No limits at all, for tests from one address. */
export function noRateLimits(): RateLimits {
  return { use() {}, check() {} }
}

/** An IPv6 visitor owns a whole /64: its first four groups stand for it. */
function visitorOf(who: string): string {
  if (!isIPv6(who)) return who
  const [head = '', tail] = who.toLowerCase().split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail?.split(':').filter(Boolean) ?? []
  const groups =
    tail === undefined
      ? first
      : [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
  return groups.slice(0, 4).join(':')
}
