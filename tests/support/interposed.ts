import { setTimeout as delay } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { Database, Writer } from '#server/platform/db/database.ts'

/** Called at each point where a rival could come in between; the points are numbered in the order they are met. */
export type Interpose = () => Promise<unknown>

/**
 * How long a rival may take within a transaction. On SQLite it cannot pass before the transaction ends; on PostgreSQL
 * it can, unless it wants the very row, and a busy machine needs some time for it.
 */
const TIMEOUT_MS = { sqlite: 1, postgres: 500 }

/**
 * The same database, with `interpose` called before and after each use of it and after each statement of a
 * transaction. Within a transaction a rival may have to wait for it, so there it is left running after a while: it is
 * the caller's to wait for in the end.
 */
export function interposed(db: Database, interpose: Interpose): Database {
  async function around<T>(use: () => Promise<T>): Promise<T> {
    await interpose()
    const result = await use()
    await interpose()
    return result
  }
  const meanwhile = async () => {
    const tooLong = new AbortController()
    const done = interpose().finally(() => tooLong.abort())
    const waited = delay(TIMEOUT_MS[db.engine], undefined, { signal: tooLong.signal }).catch(() => {})
    await Promise.race([done, waited])
  }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await meanwhile()
      return result
    },
  }
  return {
    engine: db.engine,
    read: fn => around(() => db.read(fn)),
    confirmed: fn => around(() => db.confirmed(fn)),
    snapshot: fn => around(() => db.snapshot(fn)),
    transaction: fn =>
      around(() =>
        db.transaction(async trx => {
          await meanwhile()
          return fn(trx.withPlugin(plugin) as Writer)
        }),
      ),
    scrub: tables => db.scrub(tables),
    statementLimitMs: () => db.statementLimitMs(),
    guardsAmiss: () => db.guardsAmiss(),
    close: () => db.close(),
  }
}
