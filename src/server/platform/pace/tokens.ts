import { sql } from 'kysely'
import { grantTokens, type TokenRate } from '#domain/limits/shared-tokens.ts'
import type { Database, EngineName, Reader, Writer } from '#server/platform/db/database.ts'
import { type CommonClock, commonTime } from './common-time.ts'

/** Tokens that all processes on one database share. */
export interface Tokens {
  /** Takes up to so many. @returns how many are ours now, and where none is, how long until the next, ms */
  take(wanted: number): Promise<{ readonly granted: number; readonly waitMs: number }>
}

export interface TokensOptions {
  readonly db: Database
  /** The row that the processes share. */
  readonly name: string
  /** So many at once; they come back evenly over the time. */
  readonly uses: number
  readonly perMs: number
  readonly commonUs?: CommonClock | undefined
}

const US_PER_MS = 1_000

/** A token is taken by whoever changes the row from what it was: two processes never take the same one. */
export function createTokens({ db, name, uses, perMs, commonUs }: TokensOptions): Tokens {
  const rate: TokenRate = { stepUs: Math.ceil((perMs * US_PER_MS) / uses), burstUs: perMs * US_PER_MS }
  return {
    async take(wanted) {
      // A token that a crash forgets harms nobody, so nobody waits for the disk.
      const { granted, waitUs } = await db.transaction(
        async trx => {
          for (;;) {
            const { known, now } = await look(trx, db.engine, name, commonUs)
            const grant = grantTokens(known, now, wanted, rate)
            // Also where none is there what a clock wrote that was put back since is written anew: tokens come from now on.
            if (grant.nextAt === known || (await changed(trx, name, known, grant.nextAt))) return grant
          }
        },
        { durable: false },
      )
      return { granted, waitMs: waitUs / US_PER_MS }
    },
  }
}

/** What the row holds, and the time that it was looked at. */
async function look(trx: Reader, engine: EngineName, name: string, commonUs: CommonClock | undefined) {
  const now = commonTime(engine, commonUs)
  const row = await trx
    .selectFrom(sql<{ now: number }>`(select ${now} as now)`.as('time'))
    .leftJoin('paces', join => join.on('paces.name', '=', name))
    .select(['time.now', 'paces.next_at'])
    .executeTakeFirstOrThrow()
  return { known: row.next_at ?? undefined, now: Number(row.now) }
}

/** @returns false where another process was first */
async function changed(
  trx: Writer,
  name: string,
  known: number | undefined,
  nextAt: number,
): Promise<boolean> {
  const row =
    known === undefined
      ? await trx
          .insertInto('paces')
          .values({ name, next_at: nextAt })
          .onConflict(conflict => conflict.column('name').doNothing())
          .returning('name')
          .executeTakeFirst()
      : await trx
          .updateTable('paces')
          .set({ next_at: nextAt })
          .where('name', '=', name)
          .where('next_at', '=', known)
          .returning('name')
          .executeTakeFirst()
  return row !== undefined
}
