import { type RawBuilder, sql } from 'kysely'
import { caseForms } from '#domain/mail/letter-case.ts'

/**
 * The column holds one of these addresses, whatever the case of its letters. The condition `is not null` is needed: only
 * with it does SQLite use an index by address, which holds no other row. Without it SQLite reads every row.
 */
export function isOneOf(column: 'email' | 'contact', addresses: readonly string[]): RawBuilder<boolean> {
  const forms = [...new Set(addresses.flatMap(caseForms))]
  if (forms.length === 0) return sql<boolean>`1 = 0`
  const name = sql.ref(column)
  return sql<boolean>`(${name} is not null and lower(${name}) in (${sql.join(forms.map(form => sql`lower(${form})`))}))`
}
