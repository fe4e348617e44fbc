import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Reader } from '#server/platform/db/engine.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** A query's SQL, and where in its parameters each value stands. */
interface Written<Row, Name extends string> {
  readonly query: CompiledQuery<Row>
  /** By the parameters' places: the value's name; undefined for what the query always asks with. */
  readonly names: readonly (Name | undefined)[]
}

/**
 * A query that is built once for each engine and asked again and again with other values: to build one takes several times
 * as long as SQLite needs to answer it. For the few that most requests ask.
 * @param names of the values
 * @param build makes the query. It is given marks in the values' places, so it may compare with them and do no more
 * @returns asks it, within a transaction or without
 */
export function prepared<Name extends string, Row>(
  names: readonly Name[],
  build: (db: Reader, values: Readonly<Record<Name, never>>) => Compilable<Row>,
): (db: Reader, values: Readonly<Record<Name, string | number>>) => Promise<readonly Row[]> {
  // A transaction has a handle of its own, and the engine of the database that it is of.
  const written = new WeakMap<object, Written<Row, Name>>()
  const write = (db: Reader): Written<Row, Name> => {
    const marks = Object.fromEntries(names.map(name => [name, Symbol(name)]))
    const query = build(db, marks as Record<Name, never>).compile()
    return { query, names: query.parameters.map(parameter => names.find(name => marks[name] === parameter)) }
  }
  return async (db, values) => {
    const { adapter } = (db as Kysely<Schema>).getExecutor()
    let known = written.get(adapter)
    if (!known) {
      known = write(db)
      written.set(adapter, known)
    }
    const { query } = known
    const parameters = known.names.map((name, place) =>
      name === undefined ? query.parameters[place] : values[name],
    )
    const { rows } = await (db as Kysely<Schema>).executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
