import { isIPv6 } from 'node:net'
import type { Limit, Limits } from '#domain/limits/limits.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { LimitName } from '#server/platform/limits.ts'

interface Bucket {
  uses: number
  at: number
}

export interface BucketParts {
  readonly monotonic: MonotonicClock
  readonly table: Limits
  /** The most visitors remembered per limit. Beyond it the visitor who was seen longest ago is forgotten. */
  readonly mostVisitors: number
}

/** What each visitor has left of each limit, in the memory of this process. */
export interface Buckets {
  /** Takes uses. @returns the seconds to wait, with none taken, or 0 when they are granted */
  take(name: LimitName, who: string, cost: number): number
  /** Gives one use back that was taken. */
  giveBack(name: LimitName, who: string): void
  /** How much of the limit is left: 1 for all of it. */
  shareLeft(name: LimitName, who: string): number
}

/** Every bucket is full at first, and fills again within the limit's time. Who is not remembered has a full one. */
export function createBuckets({ monotonic, table, mostVisitors }: BucketParts): Buckets {
  const buckets = new Map<LimitName, Map<string, Bucket>>()

  const filledNow = (known: Bucket | undefined, { uses, perMs }: Limit): number =>
    known ? Math.min(uses, known.uses + ((monotonic() - known.at) / perMs) * uses) : uses

  /** Seconds until `cost` uses can be had, at least one. */
  const waitFor = (cost: number, filled: number, { uses, perMs }: Limit): number =>
    Math.max(1, Math.ceil(((cost - filled) / uses) * (perMs / 1000)))

  const bucketOf = (name: LimitName, who: string) => buckets.get(name)?.get(visitorOf(who))

  return {
    take(name, who, most) {
      const limit = table[name]
      const cost = Math.min(most, limit.uses)
      const visitor = visitorOf(who)
      const visitors = buckets.get(name) ?? new Map<string, Bucket>()
      buckets.set(name, visitors)
      const filled = filledNow(visitors.get(visitor), limit)
      const granted = filled >= cost
      // The entry is put at the end again, so that the map's order is the order of last use.
      visitors.delete(visitor)
      visitors.set(visitor, { uses: granted ? filled - cost : filled, at: monotonic() })
      if (visitors.size > mostVisitors) {
        const [oldest] = visitors.keys()
        if (oldest !== undefined) visitors.delete(oldest)
      }
      return granted ? 0 : waitFor(cost, filled, limit)
    },
    giveBack(name, who) {
      const bucket = bucketOf(name, who)
      if (bucket) bucket.uses = Math.min(table[name].uses, bucket.uses + 1)
    },
    shareLeft: (name, who) => filledNow(bucketOf(name, who), table[name]) / table[name].uses,
  }
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
