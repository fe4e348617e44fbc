import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import type { Engine, FailureKind, Reader, Writer } from '#server/platform/db/engine.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type Timeouts, VISITOR_TIMEOUTS } from '#server/platform/db/timeouts.ts'

const CONNECTIONS = 10

/**
 * Opens a PostgreSQL database by its URL. Connections are made when first needed. Nothing is set on one beyond a
 * transaction, and nothing asked for when it begins: a pooler may give each transaction another connection.
 */
export function openPostgres(databaseUrl: string, { connectMs, answerMs }: Timeouts): Engine {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
  })
  // A connection that breaks is reported to whoever uses it; without these listeners it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    refuseStandby(client)
    breakWhenSilent(client, answerMs)
    refuseCommitsInDoubt(client)
  })
  const db = new Kysely<Schema>({ dialect: new LimitedDialect(pool, answerMs) })
  // The role's limit is a visitor's. Who may wait longer sets another, which only a transaction can.
  const inTransaction = answerMs > VISITOR_TIMEOUTS.answerMs
  return {
    name: 'postgres',
    writer: db,
    reader: db,
    // It puts the commits of many on the disk together by itself.
    transaction: (fn, isDurable) =>
      db.transaction().execute(async trx => {
        if (!isDurable) await sql`set local synchronous_commit = off`.execute(trx)
        return fn(trx)
      }),
    read: <T>(fn: (reader: Reader) => Promise<T>) =>
      inTransaction ? db.transaction().setAccessMode('read only').execute(fn) : fn(db),
    confirmed: fn => db.transaction().execute(fn),
    snapshot: fn =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(fn),
    async scrub(tables) {
      for (const table of tables) await db.transaction().execute(trx => writeAnew(trx, table))
    },
    async statementLimitMs() {
      const { rows } = await sql<{ setting: string }>`
        select setting from pg_catalog.pg_settings where name = 'statement_timeout'`.execute(db)
      return Number(rows[0]?.setting ?? 0)
    },
    classify,
    close: () => db.destroy(),
  }
}

/** As `vacuum full`, which no transaction may do, and so no limit of its own could be set for. */
async function writeAnew(trx: Writer, table: keyof Schema): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select x.relname as name from pg_catalog.pg_index i join pg_catalog.pg_class x on x.oid = i.indexrelid
    where i.indisprimary and i.indrelid = ${table}::pg_catalog.regclass`.execute(trx)
  for (const { name } of rows) await sql`cluster ${sql.table(table)} using ${sql.id(name)}`.execute(trx)
  await sql`alter table ${sql.table(table)} set without cluster`.execute(trx)
}

/** Begins each transaction with its time limits, in the same message. */
class LimitedDialect extends PostgresDialect {
  readonly #pool: pg.Pool
  readonly #limits: string

  constructor(pool: pg.Pool, answerMs: number) {
    super({ pool })
    this.#pool = pool
    this.#limits = limitsOf(answerMs)
  }

  override createDriver(): PostgresDriver {
    return new LimitedDriver(this.#pool, this.#limits)
  }
}

class LimitedDriver extends PostgresDriver {
  readonly #limits: string

  constructor(pool: pg.Pool, limits: string) {
    super({ pool })
    this.#limits = limits
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
    const mode = accessMode === undefined ? '' : ` ${accessMode}`
    const limited = `start transaction${level}${mode}; ${this.#limits}`
    // One that may write also says whether it can: see `refuseStandby`.
    const asked = accessMode === undefined ? `${limited}; ${MAY_WRITE}` : limited
    await connection.executeQuery(CompiledQuery.raw(asked))
  }
}

/**
 * The server gives up first, where it still can: then the connection stays good. And a process of ours that hangs, or
 * is cut off, must not hold its locks for ever.
 */
const limitsOf = (answerMs: number): string =>
  `set local statement_timeout = ${Math.ceil(answerMs * 0.9)}; ` +
  `set local idle_in_transaction_session_timeout = ${Math.ceil(answerMs * 1.5)}`

/** A connection that was ended is seen for a moment longer. */
const GOING_MS = 1_000

/** Is nobody else connected to the database now? */
export async function aloneInPostgres(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const deadline = performance.now() + GOING_MS; ; ) {
      const { rows } = await client.query<{ others: number }>(
        `select count(*)::int as others from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      if (rows[0]?.others === 0) return true
      if (performance.now() > deadline) return false
      await wait(50)
    }
  } finally {
    await client.end()
  }
}

const SILENCE = 'The database does not answer'

/**
 * Breaks the connection when a statement is not answered in time. `pg`'s own `query_timeout` leaves the connection
 * waiting for the lost answer, so that the rollback and whoever gets the connection next would hang as well.
 */
function breakWhenSilent(client: pg.PoolClient, answerMs: number): void {
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown
  const watched = (...args: unknown[]): unknown => {
    const answer = ask(...args)
    if (!(answer instanceof Promise)) return answer
    const timer = setTimeout(() => client.connection.stream.destroy(new Error(SILENCE)), answerMs)
    return answer
      .catch(async (error: unknown) => {
        // What was first is a standby now: another connection finds whoever is first. The pool forgets it as it closes.
        if (codeOf(error) === READ_ONLY) await closed(client.connection.stream)
        throw error
      })
      .finally(() => clearTimeout(timer))
  }
  client.query = watched as typeof client.query
}

const MAY_WRITE = 'show transaction_read_only'

/**
 * Fails a transaction at its beginning where the machine takes no writes, also one that would write nothing. What was first
 * until a moment ago and was cut off may hold commits that no other machine has: shown as a standby it would answer who asks
 * again with a success that is not there any more once the others go on.
 */
function refuseStandby(client: pg.PoolClient): void {
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown
  const watched = (...args: unknown[]): unknown => {
    if (typeof args[0] !== 'string' || !args[0].endsWith(MAY_WRITE)) return ask(...args)
    return (ask(...args) as Promise<readonly pg.QueryResult[]>).then(answers => {
      if (answers.at(-1)?.rows[0]?.transaction_read_only === 'on')
        throw Object.assign(new Error('The machine takes no writes'), { code: READ_ONLY })
      return answers
    })
  }
  client.query = watched as typeof client.query
}

async function closed(stream: Duplex): Promise<void> {
  if (stream.closed) return
  const close = once(stream, 'close')
  stream.destroy()
  await close
}

/** What SQLSTATE calls the outcome of a transaction that nobody knows. */
const OUTCOME_UNKNOWN = '08007'
const WARNING = '01000'

/**
 * Fails a commit that the server warns of. Whoever cancels a commit that waits for the synchronous standby ends the wait
 * alone: the server then says that the transaction is committed, and only a warning says that the standby may not have
 * it. Should the standby be first next, what was written is gone.
 */
function refuseCommitsInDoubt(client: pg.PoolClient): void {
  let warned = false
  client.on('notice', ({ code }) => {
    warned ||= code === WARNING
  })
  const ask = client.query.bind(client) as (...args: unknown[]) => unknown
  const watched = (...args: unknown[]): unknown => {
    if (args[0] !== 'commit') return ask(...args)
    warned = false
    return (ask(...args) as Promise<unknown>).then(answer => {
      if (warned)
        throw Object.assign(new Error('The standby may lack what was committed'), { code: OUTCOME_UNKNOWN })
      return answer
    })
  }
  client.query = watched as typeof client.query
}

/** `int8` as a number that is exactly what the database holds. */
function parserFor(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return oid === pg.types.builtins.INT8 ? safeNumber : pg.types.getTypeParser(oid, format ?? 'text')
}

function safeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`Not a safe integer in the database: ${text}`)
  return number
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
/** A write met a standby. */
const READ_ONLY = '25006'
/**
 * Connection lost, server starting or stopping, a standby, a time limit, too many connections, out of disk or memory, no
 * way to the machine; and 40003, by which a distributed engine says that it does not know what became of a commit.
 */
const UNAVAILABLE =
  /^(08...|40003|57014|57P0[1-5]|25006|25P03|53...|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/
/** What `pg` itself says, without a code, when a connection is gone or none comes free, and what we say. */
const UNAVAILABLE_WORDS = new RegExp(
  `^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|${SILENCE})`,
)

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

function classify(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'other'
  const code = codeOf(error)
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) return 'retry'
  return UNAVAILABLE.test(code) || UNAVAILABLE_WORDS.test(error.message) ? 'unavailable' : 'other'
}
