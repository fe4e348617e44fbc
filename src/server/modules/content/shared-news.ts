import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { sightedAt } from '#server/platform/db/sightings.ts'

/** News of the content that one process got, for all processes that share its database. */
export interface SharedNews {
  /** Tells the others. */
  tell(): Promise<void>
  /** Has anybody else told something since the last look? The first look finds whatever was ever told. */
  hasNews(): Promise<boolean>
}

const NAME = 'content-news'

/**
 * A mark in the database. The content service tells one process of a publish, whichever the load balancer chose; the
 * others look at the mark. It only ever differs: whose clock is ahead does not matter.
 */
export function createSharedNews({ db, clock }: { db: Database; clock: Clock }): SharedNews {
  let known: number | undefined
  return {
    async tell() {
      const now = clock()
      const { at } = await db.transaction(trx =>
        trx
          .insertInto('sightings')
          .values({ name: NAME, at: now })
          .onConflict(conflict =>
            conflict.column('name').doUpdateSet(eb => ({
              at: eb
                .case()
                .when('sightings.at', '>=', now)
                .then(eb('sightings.at', '+', 1))
                .else(now)
                .end(),
            })),
          )
          .returning('at')
          .executeTakeFirstOrThrow(),
      )
      known = at
    },
    async hasNews() {
      const at = await db.read(reader => sightedAt(reader, NAME))
      if (at === undefined || at === known) return false
      known = at
      return true
    },
  }
}
