import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
  sql,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Engine, FailureKind } from '#server/platform/db/engine.ts'
import { groupCommit } from '#server/platform/db/group-commit.ts'
import { retrying } from '#server/platform/db/retry.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** A longer wait inside SQLite would stop the whole process: waiting is done outside, asynchronously. */
const BUSY_TIMEOUT_MS = 20
const CACHED_STATEMENTS = 200
/** Anything less loses acknowledged commits when the power fails. */
const DURABLE = 'pragma synchronous = full'
/** The journal is put on the disk by the next durable commit, or before it is folded into the file. */
const NOT_DURABLE = 'pragma synchronous = normal'
/** The embedded database's file, in the data folder. */
export const SQLITE_FILE = 'database.sqlite'

/**
 * Opens (and creates) the embedded database in a folder. Two connections: one for transactions, and one that
 * only reads, so that a read neither waits for a transaction nor sees what it has not committed.
 */
export async function openSqlite(dataDir: string): Promise<Engine> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, SQLITE_FILE)
  const connections = { write: await connect(path, 'write'), read: await connect(path, 'read') }
  const writer = handle(connections.write)
  const reader = handle(connections.read)
  return {
    name: 'sqlite',
    writer,
    reader,
    transaction: groupCommit(writer, connections.write),
    read: fn => fn(reader),
    confirmed: fn => fn(reader),
    statementLimitMs: async () => undefined,
    async snapshot(fn) {
      // It has a connection of its own. On a shared one, other reads would see this older state.
      const own = handle(await connect(path, 'read'))
      try {
        return await own.transaction().execute(fn)
      } finally {
        await own.destroy()
      }
    },
    async scrub() {
      // Overwritten data is already zeroed in the file itself.
      await sql`pragma wal_checkpoint(truncate)`.execute(writer)
    },
    classify,
    async close() {
      await reader.destroy()
      await writer.destroy()
      // Kysely leaves open what was never used.
      connections.read.close()
      connections.write.close()
    },
  }
}

/** An empty database that is gone when it is let go of. */
export async function inMemory(): Promise<Kysely<Schema>> {
  return handle(await connect(':memory:', 'write'))
}

/**
 * Is nobody else using the embedded database now? Its journal can be folded away only by whoever is alone with it;
 * the next one to open it puts it back.
 */
export async function aloneInSqlite(dataDir: string): Promise<boolean> {
  const db = new DatabaseSync(join(dataDir, SQLITE_FILE), { timeout: BUSY_TIMEOUT_MS })
  try {
    return db.prepare('pragma journal_mode = delete').get()?.journal_mode === 'delete'
  } catch (error) {
    if (classify(error) === 'retry') return false
    throw error
  } finally {
    db.close()
  }
}

async function connect(path: string, use: 'read' | 'write'): Promise<Connection> {
  // Switching a new file to WAL needs it alone for a moment: another process may be doing the same.
  return retrying(classify, async () => {
    const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
    try {
      db.exec('pragma journal_mode = wal')
      db.exec(DURABLE)
      // Overwritten or deleted data (such as a settled session's id) is zeroed in the file.
      db.exec('pragma secure_delete = on')
      if (use === 'read') db.exec('pragma query_only = on')
      return new Connection(db, use)
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** SQLite's own codes: the low byte is the kind, the rest the detail. */
function classify(error: unknown): FailureKind {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 'other'
  const [busy, locked, ioError, full, cannotOpen] = [5, 6, 10, 13, 14]
  const kind = error.errcode & 0xff
  if (kind === busy || kind === locked) return 'retry'
  return kind === ioError || kind === full || kind === cannotOpen ? 'unavailable' : 'other'
}

/** One `DatabaseSync` as Kysely wants it, with its prepared statements kept. */
class Connection implements SqliteDatabase {
  readonly use: 'read' | 'write'
  readonly #db: DatabaseSync
  readonly #statements = new LRUCache<string, SqliteStatement>({ max: CACHED_STATEMENTS })
  #isDurable = true

  constructor(db: DatabaseSync, use: 'read' | 'write') {
    this.#db = db
    this.use = use
  }

  get isInTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** How the next commits are kept. @throws Error inside a transaction, where SQLite does not change it */
  setDurable(isDurable: boolean): void {
    if (isDurable === this.#isDurable) return
    this.#db.exec(isDurable ? DURABLE : NOT_DURABLE)
    this.#isDurable = isDurable
  }

  prepare(sql: string): SqliteStatement {
    const kept = this.#statements.get(sql)
    if (kept !== undefined) return kept
    const statement = new Statement(this.#db.prepare(sql))
    this.#statements.set(sql, statement)
    return statement
  }

  close(): void {
    this.#statements.clear()
    if (this.#db.isOpen) this.#db.close()
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSync

  constructor(statement: StatementSync) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#statement.all(...(parameters as SQLInputValue[]))
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.#statement.run(...(parameters as SQLInputValue[]))
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...(parameters as SQLInputValue[]))
  }
}

class Driver extends SqliteDriver {
  readonly #connection: Connection

  constructor(connection: Connection) {
    super({ database: connection })
    this.#connection = connection
  }

  /** Takes the write lock at once: a deferred transaction fails as soon as its reading turns into writing. */
  override async beginTransaction(): Promise<void> {
    this.#connection.prepare(this.#connection.use === 'write' ? 'begin immediate' : 'begin').run([])
  }

  /** Some failures (a full disk, say) have rolled back already; a second time would hide the first error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.isInTransaction) await super.rollbackTransaction(connection)
  }
}

/** SQLite's DDL is transactional, whatever Kysely's adapter says: a failed migration rolls back. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function handle(connection: Connection): Kysely<Schema> {
  const dialect: Dialect = {
    createDriver: () => new Driver(connection),
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: db => new SqliteIntrospector(db),
  }
  return new Kysely<Schema>({ dialect })
}
