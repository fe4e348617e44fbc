import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Engine, Writer } from '#server/platform/db/engine.ts'
import { tools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** What the database itself refuses by: a table with its columns and constraints, a unique index, a trigger. */
interface Guard {
  /** `trigger cards_no_update`, say. */
  readonly name: string
  readonly definition: string
}

/** The product makes few of these: one that nobody knows changes what is written or read, or refuses it. */
const UNKNOWN_IS_AMISS =
  /^(trigger|event trigger|rule|policy|row security|view|references|constraint|column|inheritance|asleep|setting)\b/

/** The guards that the steps make; the same in every database of an engine, so they are made once. */
const made: { sqlite?: Promise<readonly Guard[]>; postgres?: Promise<readonly Guard[]> } = {}

/**
 * Compares the database's own guards with those that its steps make, which are made anew beside it for the comparison and
 * are gone afterwards. @returns the names of those that are missing or another thing, of triggers that
 * nobody knows, and of tables whose references are not looked at
 */
export async function guardsAmiss(engine: Engine, memory: () => Promise<Kysely<Schema>>): Promise<string[]> {
  made[engine.name] ??= engine.name === 'sqlite' ? madeInMemory(memory) : madeBeside(engine)
  let expected: readonly Guard[]
  try {
    expected = await made[engine.name]!
  } catch (error) {
    delete made[engine.name]
    if (!isForbidden(error)) throw error
    return ['not compared: the user of the database may not create a schema']
  }
  const read = engine.name === 'sqlite' ? inSqlite : inPostgres
  const found = new Map(
    (await read(engine.reader)).map(({ name, definition }) => [name, definition] as const),
  )
  const amiss = expected.filter(({ name, definition }) => found.get(name) !== definition)
  // One of the whole database stands beside what is made anew as well, and would count as made.
  const known = new Set(
    expected.map(({ name }) => name).filter(name => !/^(event trigger|setting)\b/.test(name)),
  )
  const tables = new Set(expected.map(({ name }) => name).filter(name => name.startsWith('table ')))
  const foreign = [...found]
    .filter(([name, definition]) => UNKNOWN_IS_AMISS.test(name) && isOnOwnTable(tables, name, definition))
    .map(([name]) => name)
    .filter(name => !known.has(name))
  return [...amiss.map(({ name }) => name), ...foreign]
}

/** The steps' own list of what was done, say, is made by none of them. */
function isOnOwnTable(tables: ReadonlySet<string>, name: string, definition: string): boolean {
  if (name.startsWith('column ')) return tables.has(`table ${name.slice('column '.length).split('.')[0]}`)
  return !name.startsWith('constraint ') || tables.has(`table ${definition.split(' ')[0]}`)
}

async function madeInMemory(memory: () => Promise<Kysely<Schema>>): Promise<readonly Guard[]> {
  const db = await memory()
  try {
    await db.transaction().execute(trx => migrateAll('sqlite', trx))
    return await inSqlite(db)
  } finally {
    await db.destroy()
  }
}

/** PostgreSQL: insufficient_privilege. */
const isForbidden = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '42501'

class Enough extends Error {}

/** In a schema of its own, in a transaction that is rolled back. */
async function madeBeside({ writer }: Engine): Promise<readonly Guard[]> {
  const schema = sql.id(`guards_${randomBytes(6).toString('hex')}`)
  let guards: readonly Guard[] = []
  try {
    await writer.transaction().execute(async trx => {
      await sql`create schema ${schema}`.execute(trx)
      await sql`set local search_path to ${schema}`.execute(trx)
      await migrateAll('postgres', trx)
      guards = await inPostgres(trx)
      throw new Enough()
    })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return guards
}

async function migrateAll(engine: Engine['name'], trx: Writer): Promise<void> {
  for (const step of MIGRATIONS) await step.up(tools(engine, trx))
}

/** A table's statement holds its constraints; how it is spaced and quoted is nobody's business. */
async function inSqlite(db: Kysely<Schema>): Promise<readonly Guard[]> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    select type, name, sql from sqlite_master
    where sql is not null and (type in ('table', 'trigger', 'view') or sql like 'create unique%')`.execute(db)
  return rows.map(({ type, name, sql: text }) => ({
    name: `${type} ${name}`,
    definition: withoutSpacing(text),
  }))
}

/** A value is kept as it is written: `'free'` is not `'FREE'`. */
const withoutSpacing = (statement: string): string =>
  statement
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 0 ? part.toLowerCase().replace(/[\s"]+/g, '') : part))
    .join('')

/**
 * Also what puts guards to sleep without changing one of them: marks in the catalogue, and settings that every connection
 * begins with.
 */
async function inPostgres(db: Kysely<Schema>): Promise<readonly Guard[]> {
  const { rows } = await sql<Guard>`
    with here as (select oid, nspname from pg_namespace where nspname = current_schema())
    select 'constraint ' || c.conname as name,
        concat_ws(' ', c.conrelid::regclass, pg_get_constraintdef(c.oid), c.convalidated) as definition
      from pg_constraint c join here on here.oid = c.connamespace where c.contype in ('p', 'u', 'f', 'c')
    union all
    select 'index ' || i.indexrelid::regclass,
        concat_ws(' ', replace(pg_get_indexdef(i.indexrelid), here.nspname || '.', ''), i.indisvalid, i.indisready, i.indislive, i.indimmediate)
      from pg_index i join pg_class r on r.oid = i.indexrelid join here on here.oid = r.relnamespace
      where i.indisunique
    union all
    select 'trigger ' || t.tgname,
        concat_ws(' ', replace(pg_get_triggerdef(t.oid), here.nspname || '.', ''), t.tgenabled, p.prosrc, p.proconfig)
      from pg_trigger t join pg_class r on r.oid = t.tgrelid join here on here.oid = r.relnamespace
      join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal
    union all
    select 'rule ' || w.rulename, 'a rule' from pg_rewrite w join pg_class r on r.oid = w.ev_class
      join here on here.oid = r.relnamespace where w.rulename <> '_RETURN'
    union all
    select 'policy ' || p.polname, 'a policy' from pg_policy p join pg_class r on r.oid = p.polrelid
      join here on here.oid = r.relnamespace
    union all
    select 'row security of ' || r.relname, 'on' from pg_class r join here on here.oid = r.relnamespace
      where r.relrowsecurity or r.relforcerowsecurity
    union all
    select 'event trigger ' || e.evtname, e.evtevent from pg_event_trigger e
    union all
    select 'view ' || r.relname, r.relkind::text from pg_class r join here on here.oid = r.relnamespace
      where r.relkind in ('v', 'm')
    union all
    select 'table ' || r.relname, r.relpersistence::text from pg_class r join here on here.oid = r.relnamespace
      where r.relkind in ('r', 'p')
    union all
    select 'references of ' || r.relname, 'asleep'
      from pg_trigger t join pg_class r on r.oid = t.tgrelid join here on here.oid = r.relnamespace
      where t.tgisinternal group by r.relname having bool_or(t.tgenabled <> 'O')
    union all
    select 'asleep: triggers of ' || r.relname, 'asleep' from pg_class r join here on here.oid = r.relnamespace
      where not r.relhastriggers and exists (select from pg_trigger t where t.tgrelid = r.oid)
    union all
    select 'asleep: checks of ' || r.relname, 'asleep' from pg_class r join here on here.oid = r.relnamespace
      where r.relchecks <> (select count(*) from pg_constraint c where c.conrelid = r.oid and c.contype = 'c')
    union all
    select 'inheritance of ' || r.relname, 'a table' from pg_inherits i join pg_class r on r.oid = i.inhparent
      join here on here.oid = r.relnamespace where r.relkind = 'r'
    union all
    select 'setting ' || each, 'a setting' from pg_db_role_setting s, unnest(s.setconfig) as each
      where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and s.setrole in (0, (select oid from pg_roles where rolname = current_user),
          (select oid from pg_roles where rolname = session_user))
        and each ~* '^(session_replication_role=(replica|local)|synchronous_commit=(off|false|no|0)|search_path=.*pg_catalog)'
    union all
    select 'setting session_replication_role', 'asleep'
      where current_setting('session_replication_role') <> 'origin'
    union all
    select 'column ' || r.relname || '.' || a.attname,
        concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
      from pg_attribute a join pg_class r on r.oid = a.attrelid join here on here.oid = r.relnamespace
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where r.relkind = 'r' and a.attnum > 0 and not a.attisdropped`.execute(db)
  return rows
}
