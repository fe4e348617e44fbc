import { type Kysely, sql } from 'kysely'
import type { Engine, EngineName, Writer } from '#server/platform/db/engine.ts'
import { tools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import { isSandbox, markSandbox, OtherDatabase, refuseOthersTables } from '#server/platform/db/sandbox.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { isTable } from '#server/platform/db/tables.ts'

/** Any number, the same in every process of this product: whoever holds it migrates. */
const LOCK = 4_710_331

/**
 * Brings the tables up to date, all missing steps in one transaction: done whole, or not at all. Processes that
 * start together take turns (SQLite's write lock, an advisory lock of PostgreSQL), so each step runs once.
 * A sandbox marks the database that it makes. Everything is undone where another kind was asked for.
 * @throws Error when the database was written by a newer version of the product
 * @throws OtherDatabase where a sandbox's database is opened by something else, or the other way round
 */
export async function migrate(engine: Engine, { sandbox }: { readonly sandbox: boolean }): Promise<void> {
  await engine.writer.transaction().execute(async trx => {
    if (engine.name === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx)
    const isNew = sandbox && !(await isMade(engine.name, trx))
    if (isNew) await refuseOthersTables(trx)
    const done = await appliedSteps(trx)
    const names = MIGRATIONS.map(step => step.name)
    const foreign = done.find((name, n) => name !== names[n])
    if (foreign !== undefined) {
      throw new Error(`The database is newer than this program: it has the step "${foreign}".`)
    }
    for (const step of MIGRATIONS.slice(done.length)) {
      await step.up(tools(engine.name, trx))
      await sql`insert into schema_steps (name) values (${step.name})`.execute(trx)
    }
    if (isNew) await markSandbox(trx)
    if ((await isSandbox(trx)) !== sandbox) throw new OtherDatabase(sandbox)
  })
}

/** Has this product made its tables there? Looks only. */
export const isMade = (engine: EngineName, db: Kysely<Schema>): Promise<boolean> =>
  isTable(engine, db, 'schema_steps')

async function appliedSteps(trx: Writer): Promise<readonly string[]> {
  await sql`create table if not exists schema_steps (name text not null primary key)`.execute(trx)
  const { rows } = await sql<{ name: string }>`select name from schema_steps`.execute(trx)
  // Names begin with their number, so they sort the same everywhere.
  return rows.map(row => row.name).sort()
}
