import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

export interface QueryPlans {
  /**
   * @returns each way in which a statement for this database's file looked for rows since the last call. Not those that
   *   insert: their plans name a search for the children of the new row, which is left out while all is in order.
   */
  take(path: string): readonly string[]
  stop(): void
}

type Run = (...values: readonly SQLInputValue[]) => unknown

/**
 * Notes every statement that this process runs on embedded databases that are opened from now on, so that the
 * database can be asked how it finds the rows.
 */
export function watchQueryPlans(): QueryPlans {
  const noted: { path: string | null; sql: string; values: readonly SQLInputValue[] }[] = []
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, args)
    const path = this.location()
    for (const name of ['all', 'run', 'get', 'iterate'] as const) {
      const own = statement[name].bind(statement) as unknown as Run
      const noting: Run = (...values) => {
        noted.push({ path, sql: args[0], values })
        return own(...values)
      }
      Object.defineProperty(statement, name, { value: noting })
    }
    return statement
  }
  return {
    take(path) {
      const seen = noted
        .splice(0)
        .filter(each => each.path === path && /^(?:with|select|update|delete)\b/i.test(each.sql))
      const db = new DatabaseSync(path, { readOnly: true })
      try {
        const explain = (sql: string, values: readonly SQLInputValue[]) =>
          prepare.call(db, `explain query plan ${sql}`).all(...values)
        return [
          ...new Set(
            seen.flatMap(({ sql, values }) => explain(sql, values).map(({ detail }) => String(detail))),
          ),
        ]
      } finally {
        db.close()
      }
    },
    stop() {
      DatabaseSync.prototype.prepare = prepare
    },
  }
}
