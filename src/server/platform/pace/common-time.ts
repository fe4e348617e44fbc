import { type RawBuilder, sql } from 'kysely'
import type { EngineName } from '#server/platform/db/database.ts'

/** A clock that all processes on one database have in common: whole microseconds since some moment. */
export type CommonClock = () => number

/**
 * The time in a statement: the database's own clock, or, with an embedded database, which all processes have on one
 * machine, how long that machine has been running: nobody puts that clock.
 * @param commonUs another clock in its place
 */
export function commonTime(engine: EngineName, commonUs?: CommonClock): RawBuilder<number> {
  const here = commonUs ?? (engine === 'postgres' ? undefined : machineUs)
  return here === undefined
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000000)::bigint`
    : sql<number>`${sql.lit(here())}`
}

const machineUs: CommonClock = () => Number(process.hrtime.bigint() / 1_000n)
