import { type CreateTableBuilder, type RawBuilder, sql } from 'kysely'
import {
  type CheckChange,
  changeChecksInPostgres,
  changeChecksInSqlite,
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
  }
}

async function appendOnlyInSqlite(trx: Writer, table: string): Promise<void> {
  for (const change of ['update', 'delete']) {
    const trigger = sql.id(`${table}_no_${change}`)
    await sql`create trigger ${trigger} before ${sql.raw(change)} on ${sql.id(table)}
      begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`.execute(trx)
  }
}

async function appendOnlyInPostgres(trx: Writer, table: string): Promise<void> {
  const refuse = sql.id(`${table}_refuse_change`)
  await sql`create function ${refuse}() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception '${table} is append-only'; end`)}`.execute(trx)
  await sql`create trigger ${sql.id(`${table}_no_change`)} before update or delete or truncate on ${sql.id(table)}
    for each statement execute function ${refuse}()`.execute(trx)
}
