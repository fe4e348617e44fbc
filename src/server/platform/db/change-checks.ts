import { sql } from 'kysely'
import type { Writer } from '#server/platform/db/engine.ts'

/** A CHECK of a table and what replaces it, each as the SQL between the parentheses. */
export interface CheckChange {
  /** As the step that made the CHECK wrote it: `status in ('open', 'paid')`. */
  readonly from: string
  readonly to: string
}

/**
 * SQLite cannot change a CHECK: the table is made anew. Its rows wait in a copy while it is gone. The new table is
 * made under its own name, not renamed: SQLite then counts each reference to it as mended when its row is back.
 */
export function changeChecksInSqlite(
  trx: Writer,
  table: string,
  changes: readonly CheckChange[],
): Promise<void> {
  return makeAnewInSqlite(trx, table, made =>
    changes.reduce((before, change) => withCheck(before, table, change), made),
  )
}

/** Makes a table anew from the SQL that made it, changed. Rows, indexes, triggers and references stay as they are. */
async function makeAnewInSqlite(trx: Writer, table: string, change: (made: string) => string): Promise<void> {
  const parts = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = ${table} and sql is not null order by rowid`.execute(
    trx,
  )
  const made = parts.rows.find(({ type }) => type === 'table')?.sql
  if (made === undefined) throw new Error(`There is no table ${table}.`)
  const text = change(made)
  const [there, copy] = [sql.id(table), sql.id(`${table}_rows`)]
  // References are looked at when the transaction ends; the pragma holds until then.
  await sql`pragma defer_foreign_keys = on`.execute(trx)
  const meanwhile = await indexMeanwhile(trx, await referencesTo(trx, table))
  await sql`create table ${copy} as select * from ${there} order by rowid`.execute(trx)
  await sql`drop table ${there}`.execute(trx)
  await sql.raw(text).execute(trx)
  await sql`insert into ${there} select * from ${copy} order by rowid`.execute(trx)
  await sql`drop table ${copy}`.execute(trx)
  for (const part of parts.rows) if (part.type !== 'table') await sql.raw(part.sql).execute(trx)
  for (const name of meanwhile) await sql`drop index if exists ${sql.id(name)}`.execute(trx)
  const astray = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(trx)
  const [first] = astray.rows
  if (first !== undefined) throw new Error(`A row of ${first.table} refers to no row of ${first.parent}.`)
}

/** A reference to a table: the table that has it, and the column. */
interface Reference {
  readonly from: string
  readonly column: string
}

async function referencesTo(trx: Writer, table: string): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select m.name as "from", k."from" as "column" from sqlite_master m, pragma_foreign_key_list(m.name) k
    where m.type = 'table' and k."table" = ${table}`.execute(trx)
  return rows
}

/**
 * For each row that leaves the table, and for each that comes back, SQLite looks for rows that refer to it. Without an index
 * it reads all of the other table each time: of ten thousand cards that took minutes, in which nobody else could write.
 * @returns the names of the indexes, to be dropped once all rows are back
 */
async function indexMeanwhile(trx: Writer, references: readonly Reference[]): Promise<readonly string[]> {
  const names: string[] = []
  for (const { from, column } of references) {
    const name = `${from}_${column}_meanwhile`
    await sql`create index ${sql.id(name)} on ${sql.id(from)} (${sql.id(column)})`.execute(trx)
    names.push(name)
  }
  return names
}

function withCheck(made: string, table: string, { from, to }: CheckChange): string {
  const parts = made.split(`check (${from})`)
  if (parts.length !== 2) throw notOnce(table, from, parts.length - 1)
  return parts.join(`check (${to})`)
}

/** Takes the UNIQUE off a column whose rows may share a value from now on. @throws Error where it is not found exactly once */
export function dropUniqueInSqlite(trx: Writer, table: string, column: string): Promise<void> {
  return makeAnewInSqlite(trx, table, made => {
    const parts = made.split(`"${column}" text unique `)
    if (parts.length !== 2) throw new Error(`The table ${table} has no UNIQUE column ${column} of text.`)
    return parts.join(`"${column}" text `)
  })
}

/** The same: PostgreSQL has named the constraint after its table and column. */
export async function dropUniqueInPostgres(trx: Writer, table: string, column: string): Promise<void> {
  await sql`alter table ${sql.id(table)} drop constraint ${sql.id(`${table}_${column}_key`)}`.execute(trx)
}

/**
 * PostgreSQL keeps a CHECK in words of its own, under a name that the first tables left to it. The old one is found by
 * adding it once more: both then read the same.
 */
export async function changeChecksInPostgres(
  trx: Writer,
  table: string,
  changes: readonly CheckChange[],
): Promise<void> {
  const there = sql.id(table)
  const twin = sql.id(TWIN)
  for (const { from, to } of changes) {
    await sql`alter table ${there} add constraint ${twin} check (${sql.raw(from)}) not valid`.execute(trx)
    const { rows } = await sql<{ name: string }>`
      select c.conname as name from pg_constraint c
      join pg_constraint t on t.conrelid = c.conrelid and t.conname = ${TWIN} and c.conname <> t.conname
      where c.conrelid = ${table}::regclass and c.contype = 'c'
        and pg_get_expr(c.conbin, c.conrelid) = pg_get_expr(t.conbin, t.conrelid)`.execute(trx)
    const [old] = rows
    if (old === undefined || rows.length > 1) throw notOnce(table, from, rows.length)
    const name = sql.id(old.name)
    await sql`alter table ${there} drop constraint ${twin}, drop constraint ${name}`.execute(trx)
    await sql`alter table ${there} add constraint ${name} check (${sql.raw(to)})`.execute(trx)
  }
}

const TWIN = 'the_check_to_change'

const notOnce = (table: string, check: string, times: number): Error =>
  new Error(`The table ${table} has the CHECK (${check}) ${times} times, not once.`)
