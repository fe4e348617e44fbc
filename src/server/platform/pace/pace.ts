import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { Problem } from '#domain/problems.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type CommonClock, commonTime } from './common-time.ts'

/** Something that all processes on one database together do no oftener than so many times a second. */
export interface Pace {
  /**
   * Waits for a turn of its own. Whoever is more patient goes on getting turns where others are refused.
   * @param patienceMs the longest wait that makes sense, up to `LONGEST_PATIENCE_MS`
   * @throws Problem temporarily-unavailable, at once, where the next free turn is later than that
   */
  turn(patienceMs: number): Promise<void>
}

/** More patience than this is none: a turn further ahead was given by a clock that has been put right since. */
export const LONGEST_PATIENCE_MS = 5_000
const US_PER_MS = 1_000
const US_PER_SECOND = 1_000_000
/** Longer than anybody can be waiting, whatever the pace (one a second at least). */
const FURTHEST_US = 2 * LONGEST_PATIENCE_MS * US_PER_MS

export interface PaceOptions {
  readonly db: Database
  /** The row that the processes share. */
  readonly name: string
  /** From 1 on. */
  readonly perSecond: number
  /** This process's own clock. */
  readonly monotonic?: MonotonicClock
  /** Another clock in the place of the one that all processes have in common. */
  readonly commonUs?: CommonClock | undefined
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * Turns lie evenly in time, and each is given away once, by one statement on one row. The row says when the next one is:
 * a clock that steps ahead leaves some out, and after one that steps back the row counts no more; nobody waits for the
 * clock to catch up.
 */
export function createPace({
  db,
  name,
  perSecond,
  monotonic = () => performance.now(),
  commonUs,
  sleep = wait,
}: PaceOptions): Pace {
  const stepUs = Math.ceil(US_PER_SECOND / perSecond)
  /** Until when, by the process's own clock, nobody of such patience need ask: the row was further ahead a moment ago. */
  const fullUntil = new Map<number, number>()

  /** @returns how long until the turn that is ours now, µs; undefined where it would be too late */
  async function take(patienceUs: number): Promise<number | undefined> {
    // A turn that a crash forgets harms nobody, so nobody waits for the disk.
    return db.transaction(
      async trx => {
        const here = commonTime(db.engine, commonUs)
        const known = sql<number>`case when paces.next_at > ${here} + ${sql.lit(FURTHEST_US)} then ${here} else paces.next_at end`
        const next = sql<number>`case when ${known} > ${here} then ${known} else ${here} end + ${sql.lit(stepUs)}`
        const row = await trx
          .insertInto('paces')
          .values({ name, next_at: sql`${here} + ${sql.lit(stepUs)}` })
          .onConflict(conflict =>
            conflict
              .column('name')
              .doUpdateSet({ next_at: next })
              .where(sql<boolean>`${known} - ${here} <= ${sql.lit(patienceUs)}`),
          )
          .returning(sql<number>`next_at - ${sql.lit(stepUs)} - ${here}`.as('wait'))
          .executeTakeFirst()
        return row && Math.max(0, Number(row.wait))
      },
      { durable: false },
    )
  }

  return {
    async turn(patienceMs) {
      const patience = Math.min(patienceMs, LONGEST_PATIENCE_MS)
      const refused = () =>
        new Problem('temporarily-unavailable', {
          retryAfterSeconds: Math.max(1, Math.ceil(patience / 1_000)),
        })
      if (monotonic() < (fullUntil.get(patience) ?? Number.NEGATIVE_INFINITY)) throw refused()
      const waitUs = await take(patience * US_PER_MS)
      if (waitUs === undefined) {
        fullUntil.set(patience, monotonic() + stepUs / US_PER_MS)
        throw refused()
      }
      // A timer may be early by less than a millisecond.
      if (waitUs > 0) await sleep(Math.ceil(waitUs / US_PER_MS))
    },
  }
}
