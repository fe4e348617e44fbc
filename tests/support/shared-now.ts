import type { Clock } from '#server/platform/clock.ts'
import type { TestDatabase } from './database.ts'

/** What the clock says by which leases are judged: PostgreSQL has one of its own, an embedded database the server's. */
export const sharedNow = ({ engine }: Pick<TestDatabase, 'engine'>, clock: Clock): number =>
  engine === 'postgres' ? Date.now() : clock()
