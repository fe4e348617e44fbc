import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import type { EngineName, Reader, Writer } from './engine.ts'
import type { Schema } from './schema.ts'

/** The time of day as somebody's clock has it, epoch ms UTC. */
type Clock = () => number

/** Servers whose clocks are further apart take what lies ahead or behind for another time: the operator is told. */
export const CLOCKS_APART_MS = 30_000

/** A transaction, too, knows the engine of the database that it is of. */
export function engineOf(db: Reader | Writer): EngineName {
  return (db as Kysely<Schema>).getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/**
 * The time in a statement that all servers on one database have in common, ms: that of the database, when the statement
 * came. By it leases are written and judged, so that a server whose clock is wrong takes nobody's work. An embedded database
 * has no clock of its own, and all of its servers are on one machine: theirs is the one.
 * @param now this server's clock, epoch ms UTC
 * @param shared another clock in the place of the database's
 */
export function sharedTime(engine: EngineName, now: number, shared?: Clock): RawBuilder<number> {
  if (engine === 'sqlite') return sql<number>`${now}`
  return shared === undefined
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${shared()}::bigint`
}

/** The same for what is no statement, epoch ms UTC. @param clock of this server @param shared as in `sharedTime` */
export async function readSharedTime(db: Database, clock: Clock, shared?: Clock): Promise<number> {
  if (db.engine === 'sqlite') return clock()
  if (shared !== undefined) return shared()
  const { at } = await db.read(reader =>
    reader
      .selectFrom(sql<{ at: number }>`(select ${sharedTime('postgres', 0)} as at)`.as('database_clock'))
      .select('at')
      .executeTakeFirstOrThrow(),
  )
  return at
}

/** How far this server's clock is ahead of the database's, ms; less than 0 where it is behind. @param shared as in `sharedTime` */
export async function clockLead(db: Database, clock: Clock, shared?: Clock): Promise<number> {
  const before = clock()
  const at = await readSharedTime(db, clock, shared)
  return Math.round((before + clock()) / 2) - at
}
