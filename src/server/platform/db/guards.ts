import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Engine, Writer } from '#server/platform/db/engine.ts'
import { tools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * The parts of the database that refuse bad rows: a table with its columns and constraints, a unique index, a
 * trigger.
 */
interface Guard {
  /** `trigger cards.cards_no_update`, say: a namesake on another table is another one. */
  readonly name: string
  /** The table that it stands at; null where it is of the whole database. */
  readonly at: string | null
  readonly definition: string
}

/** The product makes few of these: one that nobody knows changes what is written or read, or refuses it. */
const UNKNOWN_IS_AMISS =
  /^(trigger|event trigger|rule|policy|row security|view|references|constraint|column|inheritance|asleep|setting|index|lookup)\b/
const OF_DATABASE = /^(event trigger|setting)\b/
/** An index that only makes reading faster may be missing. Another index under its name is a finding. */
const MAY_BE_MISSING = /^lookup\b/

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
  const found = await read(engine.reader)
  const definitions = new Map(found.map(({ name, definition }) => [name, definition] as const))
  const amiss = expected.filter(({ name, definition }) =>
    definitions.has(name) ? definitions.get(name) !== definition : !MAY_BE_MISSING.test(name),
  )
  const known = new Set(expected.map(({ name }) => name))
  const tables = new Set(expected.map(({ at }) => at))
  // Where another program has tables in the same place, what stands at those is none of ours.
  const foreign = found.filter(
    ({ name, at }) => UNKNOWN_IS_AMISS.test(name) && !known.has(name) && (at === null || tables.has(at)),
  )
  return [...new Set([...amiss, ...foreign].map(({ name }) => name))]
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
      // Those of the whole database stand beside what is made anew as well, and would count as made.
      guards = (await inPostgres(trx)).filter(({ name }) => !OF_DATABASE.test(name))
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
    at: null,
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
 * begins with. Whatever the path of the connection says, the catalogue itself is asked: every name is written with its
 * schema, and operators are looked up there too.
 */
async function inPostgres(db: Kysely<Schema>): Promise<readonly Guard[]> {
  if (!db.isTransaction) return db.transaction().execute(inPostgres)
  const { rows: places } = await sql<{
    schema: string | null
  }>`select pg_catalog.current_schema() as schema`.execute(db)
  await sql`set local search_path to pg_catalog, pg_temp`.execute(db)
  const { rows } = await sql<Guard>`
    with here as (select oid, pg_catalog.quote_ident(nspname) || '.' as prefix from pg_catalog.pg_namespace
        where nspname = ${places[0]?.schema ?? ''}),
      tables as (select r.*, here.oid as here, here.prefix from pg_catalog.pg_class r join here on here.oid = r.relnamespace),
      brought as (select classid, objid from pg_catalog.pg_depend where deptype = 'e')
    select 'constraint ' || r.relname || '.' || c.conname as name, r.relname::text as at,
        pg_catalog.concat_ws(' ', pg_catalog.replace(pg_catalog.pg_get_constraintdef(c.oid), r.prefix, ''), c.convalidated) as definition
      from pg_catalog.pg_constraint c join tables r on r.oid = c.conrelid where c.contype in ('p', 'u', 'f', 'c', 'x')
    union all
    select 'references of ' || r.relname || '.' || c.conname, r.relname::text,
        pg_catalog.string_agg(pg_catalog.concat_ws(' ', o.relname, p.proname, t.tgtype, t.tgenabled), ', '
          order by o.relname, p.proname, t.tgtype, t.tgenabled)
      from pg_catalog.pg_constraint c join tables r on r.oid = c.conrelid
      left join pg_catalog.pg_trigger t on t.tgconstraint = c.oid
      left join pg_catalog.pg_class o on o.oid = t.tgrelid
      left join pg_catalog.pg_proc p on p.oid = t.tgfoid
      where c.contype in ('p', 'u', 'f', 'c', 'x') group by r.relname, c.conname
    union all
    select case when i.indisunique or i.indisexclusion then 'index ' else 'lookup index ' end || x.relname, r.relname::text,
        pg_catalog.concat_ws(' ', pg_catalog.replace(pg_catalog.pg_get_indexdef(i.indexrelid), r.prefix, ''),
          i.indisvalid, i.indisready, i.indislive, i.indimmediate)
      from pg_catalog.pg_index i join tables r on r.oid = i.indrelid join pg_catalog.pg_class x on x.oid = i.indexrelid
      where i.indisunique or i.indisexclusion or i.indexprs is not null or i.indpred is not null
    union all
    select 'trigger ' || r.relname || '.' || t.tgname, r.relname::text,
        pg_catalog.concat_ws(' ', pg_catalog.replace(pg_catalog.pg_get_triggerdef(t.oid), r.prefix, ''), t.tgenabled,
          l.lanname, p.prosrc, p.proconfig)
      from pg_catalog.pg_trigger t join tables r on r.oid = t.tgrelid
      left join pg_catalog.pg_proc p on p.oid = t.tgfoid left join pg_catalog.pg_language l on l.oid = p.prolang
      where not t.tgisinternal
        or not exists (select from pg_catalog.pg_constraint c where c.oid = t.tgconstraint and c.connamespace = r.here)
    union all
    select 'rule ' || r.relname || '.' || w.rulename, r.relname::text, 'a rule'
      from pg_catalog.pg_rewrite w join tables r on r.oid = w.ev_class where w.rulename <> '_RETURN'
    union all
    select 'policy ' || r.relname || '.' || p.polname, r.relname::text, 'a policy'
      from pg_catalog.pg_policy p join tables r on r.oid = p.polrelid
    union all
    select 'row security of ' || r.relname, r.relname::text, 'on' from tables r
      where r.relrowsecurity or r.relforcerowsecurity
    union all
    select 'event trigger ' || e.evtname, null, e.evtevent::text from pg_catalog.pg_event_trigger e
      where not exists (select from brought b where b.classid = 'pg_catalog.pg_event_trigger'::pg_catalog.regclass and b.objid = e.oid)
    union all
    select 'view ' || r.relname, null, r.relkind::text from tables r where r.relkind in ('v', 'm')
      and not exists (select from brought b where b.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and b.objid = r.oid)
    union all
    select 'table ' || r.relname, r.relname::text, r.relpersistence::text from tables r where r.relkind in ('r', 'p')
    union all
    select 'asleep: triggers of ' || r.relname, r.relname::text, 'asleep' from tables r
      where not r.relhastriggers and exists (select from pg_catalog.pg_trigger t where t.tgrelid = r.oid)
    union all
    select 'asleep: indexes of ' || r.relname, r.relname::text, 'asleep' from tables r
      where not r.relhasindex and exists (select from pg_catalog.pg_index i where i.indrelid = r.oid)
    union all
    select 'asleep: checks of ' || r.relname, r.relname::text, 'asleep' from tables r
      where r.relchecks <> (select pg_catalog.count(*) from pg_catalog.pg_constraint c where c.conrelid = r.oid and c.contype = 'c')
    union all
    select 'inheritance of ' || r.relname, r.relname::text, 'a table' from tables r
      where r.relkind in ('r', 'p')
        and exists (select from pg_catalog.pg_inherits i where r.oid in (i.inhparent, i.inhrelid))
    union all
    select 'setting ' || each, null, 'a setting'
      from pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) as each
      where s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
        and s.setrole in (0, (select oid from pg_catalog.pg_roles where rolname = current_user),
          (select oid from pg_catalog.pg_roles where rolname = session_user))
        and each ~* '^(session_replication_role=(replica|local)|synchronous_commit=(off|false|no|0)|search_path=.*pg_catalog)'
    union all
    select 'setting session_replication_role', null, 'asleep'
      where pg_catalog.current_setting('session_replication_role') <> 'origin'
    union all
    select 'column ' || r.relname || '.' || a.attname, r.relname::text,
        pg_catalog.concat_ws(' ', pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attgenerated,
          a.attidentity, pg_catalog.pg_get_expr(d.adbin, d.adrelid))
      from pg_catalog.pg_attribute a join tables r on r.oid = a.attrelid
      left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where r.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`.execute(db)
  return rows
}
