import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * Behind the numbers of receipts and certificates stand letters of their order (docs/decisions/0153-letters-behind-numbers.md).
 * What is printed already keeps its number: it has none.
 */
export async function createLettersOfNumbers({ trx }: MigrationTools): Promise<void> {
  for (const table of ['receipt_numbers', 'certificates'])
    await sql`alter table ${sql.id(table)} add column letters text not null default ''
      check (letters = '' or letters = upper(substr(order_id, length(order_id) - 3)))`.execute(trx)
}
