import { type RawBuilder, sql } from 'kysely'

/** The sum of an integer column as an integer (PostgreSQL would make a decimal of it), 0 of nothing. */
export function sumOf(column: string): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`
}
