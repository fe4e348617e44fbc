import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Engine, FailureKind } from '#server/platform/db/engine.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Timeouts } from '#server/platform/db/timeouts.ts'

const CONNECTIONS = 10

/** Opens a PostgreSQL database by its URL. Connections are made when first needed. */
export function openPostgres(databaseUrl: string, { connectMs, answerMs }: Timeouts): Engine {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    // The server gives up first, where it still can: then the connection stays good.
    statement_timeout: Math.ceil(answerMs * 0.9),
    // A process of ours that hangs, or is cut off, must not hold its locks for ever.
    idle_in_transaction_session_timeout: Math.ceil(answerMs * 1.5),
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
  })
  // A connection that breaks is reported to whoever uses it; without these listeners it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    breakWhenSilent(client, answerMs)
  })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    name: 'postgres',
    writer: db,
    reader: db,
    snapshot: fn =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(fn),
    async scrub(tables) {
      for (const table of tables) await sql`vacuum full ${sql.table(table)}`.execute(db)
    },
    classify,
    close: () => db.destroy(),
  }
}

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
    return answer.finally(() => clearTimeout(timer))
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
/** Connection lost, server starting or stopping, a time limit, too many connections, out of disk or memory. */
const UNAVAILABLE =
  /^(08...|57014|57P0[1-5]|25P03|53...|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** What `pg` itself says, without a code, when a connection is gone or none comes free, and what we say. */
const UNAVAILABLE_WORDS = new RegExp(
  `^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|${SILENCE})`,
)

function classify(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'other'
  const code = 'code' in error ? String(error.code) : ''
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) return 'retry'
  return UNAVAILABLE.test(code) || UNAVAILABLE_WORDS.test(error.message) ? 'unavailable' : 'other'
}
