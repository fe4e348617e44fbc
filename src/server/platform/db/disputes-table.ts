import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Disputes as the provider described them last: until when they can be answered, and how they stand. */
export async function createDisputes({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('disputes')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('order_id', 'text', c => c.notNull().references('orders.id'))
    .addColumn('state', 'text', c =>
      c.notNull().check(sql`state in ('to-answer', 'with-bank', 'won', 'lost', 'closed')`),
    )
    .addColumn('amount', integer, c => c.notNull().check(sql`amount >= 0`))
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('opened_at', integer, c => c.notNull())
    .addColumn('answer_by', integer)
    .addColumn('updated_at', integer, c => c.notNull())
    .execute()
  await sql`create index disputes_of_order on disputes (order_id)`.execute(trx)
  await sql`create index disputes_to_answer on disputes (answer_by) where state = 'to-answer'`.execute(trx)
}
