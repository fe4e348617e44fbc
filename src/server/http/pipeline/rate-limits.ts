import { LIMITS, type Limit, type Limits } from '#domain/limits/limits.ts'
import { Problem } from '#domain/problems.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { LimitName, RateLimits, SharedLimitName } from '#server/platform/limits.ts'
import type { Log } from '#server/platform/log.ts'
import type { Tokens } from '#server/platform/pace/tokens.ts'
import { createBuckets } from './buckets.ts'
import { createLine, type Line, type LineParts } from './line.ts'

const MOST_VISITORS = 20_000

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
  const buckets = createBuckets({ monotonic, table, mostVisitors })
  const lines = new Map<SharedLimitName, Line>()
  const alarmedAt = new Map<LimitName, number>()

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
    const wait = buckets.take(name, who, cost)
    if (wait > 0) throw new Problem('too-many-requests', { retryAfterSeconds: wait })
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
        if (!isWrong) buckets.giveBack(name, who)
      }
    },
    left: buckets.shareLeft,
    turn: (name, who) => lineOf(name).turn(() => buckets.shareLeft(name, who)),
  }
}

/** No limits at all, for tests from one address. */
export function noRateLimits(): RateLimits {
  return { use() {}, guess: async (_name, _who, isRight) => isRight(), left: () => 1, async turn() {} }
}
