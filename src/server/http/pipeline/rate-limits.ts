import { isIPv6 } from 'node:net'
import { LIMITS, type Limit, type Limits } from '#domain/limits/limits.ts'
import { Problem } from '#domain/problems.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { LimitName, RateLimits, SharedLimitName } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { Tokens } from '#server/platform/pace/tokens.ts'
import { createLine, type Line, type LineParts } from './line.ts'

/** The most visitors remembered per limit. Beyond it the visitor who was seen longest ago is forgotten. */
const MOST_VISITORS = 20_000

interface Bucket {
  uses: number
  at: number
}

export interface RateLimitParts {
  readonly monotonic: MonotonicClock
  readonly log: Log
  readonly table?: Limits
  readonly mostVisitors?: number
  /** Tokens of what all visitors share, of all processes together. */
  readonly tokensOf: (name: SharedLimitName, limit: Required<Limit>) => Tokens
  readonly sleep?: LineParts['sleep']
}

/**
 * Each visitor's own limit is a bucket of tokens in the memory of this process. It fills by the monotonic clock: the
 * system's clock may be set back by an hour, and then no bucket would fill for that hour. What all visitors share comes
 * from the database, and is waited for in a line.
 */
export function createRateLimits({
  monotonic,
  log,
  table = LIMITS,
  mostVisitors = MOST_VISITORS,
  tokensOf,
  sleep,
}: RateLimitParts): RateLimits {
  const buckets = new Map<LimitName, Map<string, Bucket>>()
  const lines = new Map<SharedLimitName, Line>()
  const alarmedAt = new Map<LimitName, number>()

  const filledNow = (known: Bucket | undefined, { uses, perMs }: Limit): number =>
    known ? Math.min(uses, known.uses + ((monotonic() - known.at) / perMs) * uses) : uses

  /** Seconds until `cost` uses can be had, at least one. */
  const waitFor = (cost: number, filled: number, { uses, perMs }: Limit): number =>
    Math.max(1, Math.ceil(((cost - filled) / uses) * (perMs / 1000)))

  const bucketOf = (name: LimitName, who: string) => buckets.get(name)?.get(visitorOf(who))

  /** Seconds to wait, or 0 when the uses are granted. */
  const take = (name: LimitName, who: string, limit: Limit, cost: number): number => {
    const visitors = buckets.get(name) ?? new Map<string, Bucket>()
    buckets.set(name, visitors)
    const filled = filledNow(visitors.get(who), limit)
    const granted = filled >= cost
    // The entry is put at the end again, so that the map's order is the order of last use.
    visitors.delete(who)
    visitors.set(who, { uses: granted ? filled - cost : filled, at: monotonic() })
    if (visitors.size > mostVisitors) {
      const [oldest] = visitors.keys()
      if (oldest !== undefined) visitors.delete(oldest)
    }
    return granted ? 0 : waitFor(cost, filled, limit)
  }

  function tellOfRush(name: SharedLimitName, perMs: number): void {
    if (monotonic() - (alarmedAt.get(name) ?? Number.NEGATIVE_INFINITY) < perMs) return
    alarmedAt.set(name, monotonic())
    const what = new Error(`the limit ${name} of all visitors together is spent`)
    log.error('limit-of-all-visitors-spent', what, { limit: name })
  }

  function lineOf(name: SharedLimitName): Line {
    const known = lines.get(name)
    if (known) return known
    const limit = { together: LIMITS[name].together ?? 1, ...table[name] }
    const line = createLine({
      tokens: tokensOf(name, limit),
      perSecond: limit.together / (limit.perMs / 1_000),
      monotonic,
      onSpent: () => tellOfRush(name, limit.perMs),
      ...(sleep && { sleep }),
    })
    lines.set(name, line)
    return line
  }

  function use(name: LimitName, who: string, cost = 1): void {
    const limit = table[name]
    const wait = take(name, visitorOf(who), limit, Math.min(cost, limit.uses))
    if (wait > 0) throw new Problem('too-many-requests', { retryAfterSeconds: wait })
  }

  function giveBack(name: LimitName, who: string): void {
    const bucket = bucketOf(name, who)
    if (bucket) bucket.uses = Math.min(table[name].uses, bucket.uses + 1)
  }

  return {
    use,
    async guess(name, who, isRight) {
      use(name, who)
      let isWrong = false
      try {
        const right = await isRight()
        isWrong = right === undefined
        return right
      } finally {
        // Who could not be asked has not guessed.
        if (!isWrong) giveBack(name, who)
      }
    },
    turn: (name, who) =>
      lineOf(name).turn(() => filledNow(bucketOf(name, who), table[name]) / table[name].uses),
  }
}

/** No limits at all, for tests from one address. */
export function noRateLimits(): RateLimits {
  return { use() {}, guess: async (_name, _who, isRight) => isRight(), async turn() {} }
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
