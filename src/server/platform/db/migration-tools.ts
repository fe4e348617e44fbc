import { type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import {
  type CheckChange,
  changeChecksInPostgres,
  changeChecksInSqlite,
  dropUniqueInPostgres,
  dropUniqueInSqlite,
} from '#server/platform/db/change-checks.ts'
import type { EngineName, Writer } from '#server/platform/db/engine.ts'

/** The tools of a migration step. The two engines differ only here. */
export interface MigrationTools {
  readonly trx: Writer
  /** The column type of a whole number of up to 53 bits. */
  readonly integer: RawBuilder<unknown>
  /** Begins a table whose columns hold only values of their type. */
  table(name: string): CreateTableBuilder<string>
  /** Makes a table append-only: rows can be added, and never changed or removed. */
  appendOnly(table: string): Promise<void>
  /**
   * Changes what CHECKs of a table allow. Every row stays as it is, and has to pass the new ones; indexes, triggers and
   * references stay too.
   * @throws Error where a CHECK is not found exactly once, a row does not pass, or a reference leads nowhere
   */
  changeChecks(table: string, changes: readonly CheckChange[]): Promise<void>
  /** Takes the UNIQUE off a column of text. Rows, indexes, triggers and references stay. @throws Error where there is none */
  dropUnique(table: string, column: string): Promise<void>
  /**
   * Has the database refuse each new or changed row of a table for which a condition holds. The condition is SQL of both
   * engines, and calls the row `new` and what it was `old`.
   */
  refuseRows(table: string, refusal: Refusal): Promise<void>
}

/** What the database refuses, and what it says then. */
export interface Refusal {
  readonly name: string
  /** `insert`, or `update of` and columns. */
  readonly before: readonly string[]
  readonly when: string
  readonly says: string
}

/** What a migration works with, on either engine. */
export function tools(engine: EngineName, trx: Writer): MigrationTools {
  return {
    trx,
    integer: engine === 'sqlite' ? sql`integer` : sql`bigint`,
    table(name) {
      const table = trx.schema.createTable(name)
      return engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table
    },
    appendOnly: table =>
      engine === 'sqlite' ? appendOnlyInSqlite(trx, table) : appendOnlyInPostgres(trx, table),
    changeChecks: (table, changes) =>
      engine === 'sqlite'
        ? changeChecksInSqlite(trx, table, changes)
        : changeChecksInPostgres(trx, table, changes),
    dropUnique: (table, column) =>
      engine === 'sqlite' ? dropUniqueInSqlite(trx, table, column) : dropUniqueInPostgres(trx, table, column),
    refuseRows: (table, refusal) =>
      engine === 'sqlite' ? refuseInSqlite(trx, table, refusal) : refuseInPostgres(trx, table, refusal),
  }
}

async function appendOnlyInSqlite(trx: Writer, table: string): Promise<void> {
  for (const change of ['update', 'delete']) {
    const trigger = sql.id(`${table}_no_${change}`)
    await sql`create trigger ${trigger} before ${sql.raw(change)} on ${sql.id(table)}
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(trx)
  }
}

async function refuseInSqlite(
  trx: Writer,
  table: string,
  { name, before, when, says }: Refusal,
): Promise<void> {
  for (const [n, change] of before.entries())
    await sql`create trigger ${sql.id(`${name}_${n}`)} before ${sql.raw(change)} on ${sql.id(table)}
      when ${sql.raw(when)} begin select raise(abort, ${sql.lit(says)}); end`.execute(trx)
}

async function refuseInPostgres(
  trx: Writer,
  table: string,
  { name, before, when, says }: Refusal,
): Promise<void> {
  await sql`create function ${sql.id(name)}() returns trigger language plpgsql as
    ${sql.lit(`begin if ${when} then raise exception '${says}'; end if; return new; end`)}`.execute(trx)
  await sql`create trigger ${sql.id(name)} before ${sql.raw(before.join(' or '))} on ${sql.id(table)}
    for each row execute function ${sql.id(name)}()`.execute(trx)
}

async function appendOnlyInPostgres(trx: Writer, table: string): Promise<void> {
  const refuse = sql.id(`${table}_refuse_change`)
  await sql`create function ${refuse}() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception '${table} is append-only'; end`)}`.execute(trx)
  await sql`create trigger ${sql.id(`${table}_no_change`)} before update or delete or truncate on ${sql.id(table)}
    for each statement execute function ${refuse}()`.execute(trx)
}
