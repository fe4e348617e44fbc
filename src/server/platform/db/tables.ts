import { type Kysely, sql } from 'kysely'
import type { EngineName } from '#server/platform/db/engine.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * Is there a table of this name, where the statements of this connection would find it? Asks for it alone: reading all
 * tables with their columns costs a start, and each question to the reports' process, some milliseconds.
 */
export async function isTable(
  engine: EngineName,
  db: Kysely<Schema>,
  name: keyof Schema | 'schema_steps',
): Promise<boolean> {
  const found =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
      : sql`select 1 where to_regclass(${name}) is not null`
  return (await found.execute(db)).rows.length > 0
}
