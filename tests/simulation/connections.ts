/**
 * A year opens its database more than a thousand times, for each report and each look at the books, and SQLite reads the
 * whole schema each time. Here a connection that is closed goes on as the next one to be opened. Whoever loads this first
 * has it in the place of Node's own in `platform/db/sqlite.ts`; nothing of a year is otherwise.
 */
import { registerHooks } from 'node:module'
import { DatabaseSync as Real, type StatementSync } from 'node:sqlite'

type Options = ConstructorParameters<typeof Real>[1]

/** What a connection is after its opening, whatever its last user has set. The second is SQLite's own. */
const AS_OPENED = 'pragma query_only = off; pragma max_page_count = 4294967294'
/** What everybody sets who opens one. */
const ALWAYS = /^pragma (journal_mode = wal|secure_delete = on)$/

/** A connection that has read its schema, with its statements, and what was set of what everybody sets. */
interface Warm {
  readonly db: Real
  readonly statements: Map<string, StatementSync>
  readonly set: Set<string>
}

/** In nobody's hands, by file. */
const idle = new Map<string, Warm[]>()

/** As the product uses it. */
export class DatabaseSync {
  readonly #path: string
  #warm: Warm | undefined

  constructor(path: string, options: Options) {
    this.#path = path
    this.#warm = idle.get(path)?.pop() ?? {
      db: new Real(path, options),
      statements: new Map(),
      set: new Set(),
    }
  }

  get #open(): Warm {
    if (!this.#warm) throw new Error('database is not open')
    return this.#warm
  }

  get isOpen(): boolean {
    return this.#warm !== undefined
  }

  get isTransaction(): boolean {
    return this.#open.db.isTransaction
  }

  exec(statement: string): void {
    const { db, set } = this.#open
    if (set.has(statement)) return
    db.exec(statement)
    if (ALWAYS.test(statement)) set.add(statement)
  }

  prepare(text: string): StatementSync {
    const { db, statements } = this.#open
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    return statement
  }

  close(): void {
    const warm = this.#open
    this.#warm = undefined
    if (this.#path === ':memory:') {
      warm.db.close()
      return
    }
    if (warm.db.isTransaction) warm.db.exec('rollback')
    warm.db.exec(AS_OPENED)
    idle.set(this.#path, [...(idle.get(this.#path) ?? []), warm])
  }
}

/** Really closes what is in nobody's hands: its file is to go. */
export function letConnectionsGo(): void {
  for (const { db } of [...idle.values()].flat()) db.close()
  idle.clear()
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:sqlite' && context.parentURL?.endsWith('/src/server/platform/db/sqlite.ts')
      ? { url: import.meta.url, shortCircuit: true }
      : next(specifier, context),
})
