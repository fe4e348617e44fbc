import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { comeAgainAfter } from '#domain/limits/waiting-work.ts'
import { Problem } from '#domain/problems.ts'
import type { Engine, EngineName, Reader, Writer } from '#server/platform/db/engine.ts'
import { guardsAmiss } from '#server/platform/db/guards.ts'
import { isMade, migrate } from '#server/platform/db/migrate.ts'
import { retrying } from '#server/platform/db/retry.ts'
import { refuseOther } from '#server/platform/db/sandbox.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { inMemory, openSqlite, SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { OPERATOR_TIMEOUTS, type Timeouts, VISITOR_TIMEOUTS } from '#server/platform/db/timeouts.ts'
import { checkVersions } from '#server/platform/db/versions.ts'
import { untakenRequest } from '#server/platform/visits.ts'

export type { EngineName, Reader, Writer } from '#server/platform/db/engine.ts'
export { OtherDatabase } from '#server/platform/db/sandbox.ts'
export { OPERATOR_TIMEOUTS } from '#server/platform/db/timeouts.ts'

/** The only way to the tables. */
export interface Database {
  readonly engine: EngineName
  /** Reads outside a transaction. Each query sees what is committed when it starts. */
  read<T>(fn: (db: Reader) => Promise<T>): Promise<T>
  /**
   * Reads what was written earlier, to tell somebody of it for good: a machine of a cluster that is not first any more does not
   * answer. It may hold what nobody was told of, and the others do not have.
   */
  confirmed<T>(fn: (db: Reader) => Promise<T>): Promise<T>
  /** Several reads on one unchanging state, however much is written meanwhile. For checks and reports. */
  snapshot<T>(fn: (db: Reader) => Promise<T>): Promise<T>
  /**
   * Runs `fn` in one transaction: everything it writes is kept, or, when it throws, nothing. `fn` may run more
   * than once, so it changes nothing but the database, and calls nobody over the network. Inside it only `trx` is used.
   * @param durable false: nobody waits for the disk, and a machine that dies in the next moments may forget it. Only for what
   *   costs nobody anything then, such as a place in a line; never for money, cards or mails. True when missing.
   * @throws what `fn` throws; Problem temporarily-unavailable when the database cannot serve now
   */
  transaction<T>(fn: (trx: Writer) => Promise<T>, options?: { readonly durable: boolean }): Promise<T>
  /**
   * Takes what was overwritten or deleted off the disk, as far as the engine can: the embedded database folds its
   * journal away, unless somebody reads in that moment; PostgreSQL writes these tables anew, whom everybody waits for
   * meanwhile.
   */
  scrub(tables: readonly (keyof Schema)[]): Promise<void>
  /** The names of the database's own guards (constraints, triggers) that are not as its steps make them. */
  guardsAmiss(): Promise<readonly string[]>
  /**
   * How long the database itself lets a statement outside a transaction run, in ms, by a setting of its role; 0 where it
   * sets no limit, undefined where it is embedded. Those in transactions bring a limit of their own.
   */
  statementLimitMs(): Promise<number | undefined>
  /** Refuses new work, waits for what is running, lets go of the database. */
  close(): Promise<void>
}

export interface Location {
  /** Folder of the embedded database; made when missing, but for `existing`. */
  readonly dataDir: string
  /** A PostgreSQL URL: used instead of the embedded database. */
  readonly databaseUrl?: string | undefined
  /** How long PostgreSQL is waited for; as long as a visitor waits when missing. */
  readonly timeouts?: Timeouts
  /**
   * A command that only looks at a database does not create a missing one. An empty database would pass every check.
   */
  readonly existing?: true
  /** Is it a sandbox that opens it (SANDBOX=yes)? It marks the database that it makes; no other program takes that one. */
  readonly sandbox?: boolean | undefined
  /** Of an existing one whose tables another process of this program has seen to: writes nothing, waits for no writer. */
  readonly asItIs?: true
}

/** There is no database where one was looked for. */
export class NoDatabase extends Error {
  override readonly name = 'NoDatabase'
}

/**
 * Opens the database and brings its tables up to date.
 * @throws NoDatabase where an existing one was asked for, and there is none, or an empty one
 * @throws OtherDatabase where it is a sandbox's and no sandbox asks, or the other way round
 */
export async function openDatabase(location: Location): Promise<Database> {
  checkVersions(process.versions)
  const { dataDir, databaseUrl, timeouts = VISITOR_TIMEOUTS, existing = false } = location
  const { asItIs = false, sandbox = false } = location
  if (databaseUrl === undefined || databaseUrl === '') {
    const nothing = existing ? `There is no database in ${dataDir}.` : undefined
    if (nothing !== undefined && !existsSync(join(dataDir, SQLITE_FILE))) throw new NoDatabase(nothing)
    const engine = await openSqlite(dataDir)
    await migrated(engine, { nothing, asItIs, sandbox }).catch(async error => {
      await engine.close()
      throw error
    })
    return overEngine(engine)
  }
  // Its client is 35 files, which a site with the embedded database starts without.
  const { openPostgres } = await import('#server/platform/db/postgres.ts')
  // New tables, and other processes that make them, take longer than a visitor would wait.
  const forOperator = openPostgres(databaseUrl, OPERATOR_TIMEOUTS)
  const nothing = existing ? 'The database of DATABASE_URL is empty.' : undefined
  await migrated(forOperator, { nothing, asItIs, sandbox }).finally(() => forOperator.close())
  return overEngine(openPostgres(databaseUrl, timeouts))
}

/** @param nothing what is said where no tables are, if none are to be made there */
const migrated = (
  engine: Engine,
  {
    nothing,
    asItIs,
    sandbox,
  }: { readonly nothing: string | undefined; readonly asItIs: boolean; readonly sandbox: boolean },
): Promise<void> =>
  retrying(engine.classify, async () => {
    if (nothing !== undefined && !(await isMade(engine.name, engine.writer))) throw new NoDatabase(nothing)
    await (asItIs ? refuseOther(engine, sandbox) : migrate(engine, { sandbox }))
  })

function overEngine(engine: Engine): Database {
  const running = new Set<Promise<unknown>>()
  // The outer handle inside a transaction would wait for that very transaction, for ever.
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()
  let closing: Promise<void> | undefined

  function run<T>(work: () => Promise<T>): Promise<T> {
    if (transactions.getStore()?.isOpen) {
      return Promise.reject(new Error('Inside a transaction only its own handle may be used.'))
    }
    if (closing !== undefined) return Promise.reject(new Error('The database is closed.'))
    const request = untakenRequest()
    if (request) {
      const retryAfterSeconds = comeAgainAfter(running.size, Math.random())
      if (retryAfterSeconds !== undefined)
        return Promise.reject(new Problem('temporarily-unavailable', { retryAfterSeconds }))
      request.isTaken = true
    }
    const promise = retrying(engine.classify, work)
    const settled = promise.then(
      () => {},
      () => {},
    )
    running.add(settled)
    settled.then(() => running.delete(settled))
    return promise
  }

  return {
    engine: engine.name,
    read: fn => run(() => engine.read(fn)),
    confirmed: fn => run(() => engine.confirmed(fn)),
    snapshot: fn => run(() => engine.snapshot(fn)),
    scrub: tables => run(() => engine.scrub(tables)),
    statementLimitMs: () => run(() => engine.statementLimitMs()),
    guardsAmiss: () => run(() => guardsAmiss(engine, inMemory)),
    transaction: (fn, { durable } = { durable: true }) =>
      run(async () => {
        const state = { isOpen: true }
        try {
          return await engine.transaction(trx => transactions.run(state, () => fn(trx)), durable)
        } finally {
          state.isOpen = false
        }
      }),
    close() {
      closing ??= Promise.all(running).then(() => engine.close())
      return closing
    },
  }
}
