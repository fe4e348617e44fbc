import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Engine, FailureKind } from '#server/db/engine.ts'
import type { Schema } from '#server/db/schema.ts'

const CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5_000

/** Opens a PostgreSQL database by its URL. Connections are made when first needed. */
export function openPostgres(databaseUrl: string): Engine {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: { getTypeParser: parserFor as typeof pg.types.getTypeParser },
  })
  // A connection that breaks is reported to whoever uses it; without these listeners it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    name: 'postgres',
    writer: db,
    reader: db,
    snapshot: fn =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(fn),
    classify,
    close: () => db.destroy(),
  }
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
/** Connection lost, server starting or stopping, too many connections, out of disk or memory. */
const UNAVAILABLE =
  /^(08...|57P0[1-5]|53...|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/
/** What `pg` itself says, without a code, when a connection is gone or none comes free. */
const UNAVAILABLE_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

function classify(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'other'
  const code = 'code' in error ? String(error.code) : ''
  if (code === SERIALIZATION_FAILURE || code === DEADLOCK_DETECTED) return 'retry'
  return UNAVAILABLE.test(code) || UNAVAILABLE_WORDS.test(error.message) ? 'unavailable' : 'other'
}
