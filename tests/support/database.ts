import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, type EngineName, type Location, openDatabase } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { type Timeouts, VISITOR_TIMEOUTS } from '#server/platform/db/timeouts.ts'
import { keepTestTerms } from '#tests/builders/server.ts'

/** Hundreds of rivals share ten connections, on a machine that does much else. */
const PATIENT: Timeouts = { ...VISITOR_TIMEOUTS, connectMs: 60_000 }

/** A database of a test's own. */
export interface TestDatabase {
  readonly engine: EngineName
  readonly db: Database
  /** For another process that is to use the same database. */
  readonly location: Location
  /** Opens the same database once more, as a second server process would; closed with the first. */
  another(): Promise<Database>
  /** Runs statements past every guard (triggers and foreign keys asleep), to plant what must be found. */
  plant(...statements: readonly string[]): Promise<void>
  /** The names of all tables. */
  tables(): Promise<readonly string[]>
  /**
   * Every row of every table as text, in a fixed order: equal dumps, equal data. Without the notes that a server
   * makes of its own periodic work, which change whatever visitors do.
   */
  dump(): Promise<string>
  close(): Promise<void>
}

/** Makes a fresh database with all tables, on the engine that the test's project names in TEST_ENGINE or on another. */
export async function openTestDatabase(
  engine: EngineName = process.env.TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite',
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<TestDatabase> {
  const place = engine === 'postgres' ? await inPostgres() : inSqlite()
  const opened: Database[] = []
  const another = async () => {
    const db = await openDatabase({ ...place.location, timeouts: PATIENT })
    opened.push(db)
    return db
  }
  const own = await another()
  const db: Database = {
    ...own,
    // Whoever closes it restores another one in its place, which refuses where anybody is connected.
    async close() {
      await own.close()
      await place.leaveAlone()
    },
  }
  if (!isEmpty) await db.transaction(keepTestTerms)
  return {
    engine: db.engine,
    db,
    location: place.location,
    another,
    async plant(...statements) {
      await place.withConnection(async query => {
        for (const statement of [...(await place.lower(query)), ...statements]) await query(statement)
      })
    },
    tables: () =>
      place.withConnection(async query => (await query(place.tablesQuery)).map(({ name }) => String(name))),
    dump: () => place.withConnection(dumpWith(place.tablesQuery)),
    async close() {
      await Promise.all(opened.map(each => each.close()))
      await place.remove()
    },
  }
}

type Row = Readonly<Record<string, unknown>>
type Query = (sql: string) => Promise<readonly Row[]>

interface Place {
  readonly location: Location
  readonly tablesQuery: string
  withConnection<T>(fn: (query: Query) => Promise<T>): Promise<T>
  /** Ends the connection that the test does not know of. */
  leaveAlone(): Promise<void>
  /** The statements that put the guards to sleep. */
  lower(query: Query): Promise<readonly string[]>
  remove(): Promise<void>
}

function inSqlite(): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'gc-sqlite-'))
  const path = join(dataDir, SQLITE_FILE)
  const made = inject('emptySqlite')
  if (made !== undefined) copyFileSync(made, path)
  return {
    location: { dataDir },
    tablesQuery: `select name from sqlite_master where type = 'table' order by name`,
    async withConnection(fn) {
      const connection = new DatabaseSync(path, {
        timeout: 5_000,
        enableForeignKeyConstraints: false,
      })
      try {
        return await fn(async sql => connection.prepare(sql).all())
      } finally {
        connection.close()
      }
    },
    async leaveAlone() {},
    async lower(query) {
      const triggers = await query(`select name from sqlite_master where type = 'trigger'`)
      return ['pragma ignore_check_constraints = on', ...triggers.map(each => `drop trigger "${each.name}"`)]
    },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A database that earlier tests of this worker are done with, and the connection that empties it. */
interface UsedDatabase {
  readonly name: string
  readonly emptier: Emptier
}

/** Making a database takes far longer than emptying one, and a new connection longer than one that knows its tables. */
const used: UsedDatabase[] = []

afterAll(async () => {
  for (const { name, emptier } of used.splice(0)) {
    await emptier.end()
    await drop(name)
  }
})

const drop = (name: string): Promise<unknown> =>
  withClient(inject('postgresUrl'), query => query(`drop database ${name} with (force)`))

const copyEmpty = (name: string): Promise<unknown> =>
  withClient(inject('postgresUrl'), query =>
    query(`create database ${name} template ${inject('emptyPostgres')}`),
  )

/** A connection to one database, made when it is first asked for. */
interface Emptier {
  query(): Promise<Query>
  /** Ends it; whoever asks for it next gets a new one. */
  end(): Promise<void>
}

function emptierOf(url: string): Emptier {
  let client: pg.Client | undefined
  return {
    async query() {
      client ??= await connectTo(url)
      return queryOf(client)
    },
    async end() {
      await client?.end()
      client = undefined
    },
  }
}

/** One that earlier tests are done with, emptied; undefined where there is none. */
async function usedAgain(): Promise<UsedDatabase | undefined> {
  for (let again = used.pop(); again !== undefined; again = used.pop()) {
    if (await empty(await again.emptier.query())) return again
    await again.emptier.end()
    await drop(again.name)
  }
  return undefined
}

const urlOf = (name: string): string => {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.toString()
}

async function inPostgres(): Promise<Place> {
  const again = await usedAgain()
  const name = again?.name ?? `test_${randomBytes(8).toString('hex')}`
  const databaseUrl = urlOf(name)
  const emptier = again?.emptier ?? emptierOf(databaseUrl)
  if (again === undefined) {
    await copyEmpty(name)
    tablesAsMade ??= await tablesOf(await emptier.query())
  }
  // Files that tests of other databases leave (erasures, revocations) are nobody else's.
  const dataDir = mkdtempSync(join(tmpdir(), 'gc-postgres-'))
  let isAsMade = true
  return {
    location: { dataDir, databaseUrl },
    tablesQuery: POSTGRES_TABLES,
    withConnection: fn => withClient(databaseUrl, fn),
    leaveAlone: () => emptier.end(),
    async lower() {
      isAsMade = false
      return [WITHOUT_GUARDS]
    },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
      if (isAsMade) used.push({ name, emptier })
      else {
        await emptier.end()
        await drop(name)
      }
    },
  }
}

const POSTGRES_TABLES = `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`
const WITHOUT_GUARDS = 'set session_replication_role = replica'

/** What stands here of a table changes when anybody makes, changes or renames one. */
const TABLES_AS_THEY_ARE = `select ${['class', 'constraint', 'trigger', 'index']
  .map(each => `(select concat_ws(' ', count(*), max(xmin::text::bigint)) from pg_${each}) as ${each}s`)
  .join(', ')}`

let tablesAsMade: string | undefined

const tablesOf = async (query: Query): Promise<string> => JSON.stringify(await query(TABLES_AS_THEY_ARE))

/**
 * Leaves it as it was when its tables were made; nobody whom an earlier test forgot may write to it any more.
 * @returns whether it could: a test may have changed its tables, or restored others in their place
 */
async function empty(query: Query): Promise<boolean> {
  await query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  if ((await tablesOf(query)) !== tablesAsMade) return false
  const names = (await query(POSTGRES_TABLES))
    .map(({ name }) => String(name))
    .filter(name => name !== 'schema_steps')
  const looks = names.map(name => `select '${name}' as name where exists (select from "${name}")`)
  // A test fills a few of them, and truncating makes new files for each that is named.
  const filled = await query(looks.join(' union all '))
  await query(WITHOUT_GUARDS)
  for (const { name } of filled) await query(`delete from "${name}"`)
  return true
}

async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  // A test that ends every connection ends this one too: whoever uses it next is told.
  client.on('error', () => {})
  await client.connect()
  return client
}

const queryOf =
  (client: pg.Client): Query =>
  async sql =>
    (await client.query<Row>(sql)).rows

async function withClient<T>(url: string, fn: (query: Query) => Promise<T>): Promise<T> {
  const client = await connectTo(url)
  try {
    return await fn(queryOf(client))
  } finally {
    await client.end()
  }
}

const OWN_NOTES: readonly string[] = ['paces', 'periodic_jobs', 'sightings', 'waiting_rooms']

const dumpWith = (tablesQuery: string) => async (query: Query) => {
  const lines: string[] = []
  for (const { name } of await query(tablesQuery)) {
    if (OWN_NOTES.includes(String(name))) continue
    const rows = await query(`select * from "${name}"`)
    lines.push(...rows.map(row => `${name} ${JSON.stringify(row)}`).sort())
  }
  return lines.join('\n')
}
