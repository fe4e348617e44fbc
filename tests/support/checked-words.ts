import { sql } from 'kysely'
import type { Writer } from '#server/platform/db/database.ts'

/**
 * The words that a column's CHECK allows (`check (status in ('open', …))`), as the database itself tells them, sorted.
 * @throws Error where the column has no such CHECK, or several
 */
export async function checkedWords(
  db: Writer,
  engine: 'sqlite' | 'postgres',
  table: string,
  column: string,
): Promise<readonly string[]> {
  const lists =
    engine === 'sqlite' ? await sqliteLists(db, table, column) : await postgresLists(db, table, column)
  const [list] = lists
  if (list === undefined || lists.length > 1) throw new Error(`${lists.length} checks of ${table}.${column}`)
  return [...list.matchAll(/'([^']*)'/g)].map(([, word]) => word!).sort()
}

/** It keeps the statement that made the table. */
async function sqliteLists(db: Writer, table: string, column: string): Promise<readonly string[]> {
  const { rows } = await sql<{
    sql: string
  }>`select sql from sqlite_master where type = 'table' and name = ${table}`.execute(db)
  const made = rows[0]?.sql ?? ''
  return [...made.matchAll(new RegExp(`check \\(${column} in \\(([^)]*)\\)\\)`, 'gi'))].map(
    ([, list]) => list!,
  )
}

/** It keeps each CHECK, written anew. */
async function postgresLists(db: Writer, table: string, column: string): Promise<readonly string[]> {
  const { rows } = await sql<{ def: string }>`select pg_get_constraintdef(oid) as def from pg_constraint
    where conrelid = ${table}::regclass and contype = 'c'`.execute(db)
  const shape = new RegExp(`^CHECK \\(\\(${column} = ANY \\(ARRAY\\[([^\\]]*)\\]\\)\\)\\)$`)
  return rows.flatMap(({ def }) => shape.exec(def)?.[1] ?? [])
}
