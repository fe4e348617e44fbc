import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * For how long each card waits to be used, as its buyer was told, which reminders went out, and which organisation the
 * buyer named for the end. Null in rows from before: their term is a year, with reminders 30 and 7 days before its end.
 */
export async function createTermsOfCards({ trx, integer }: MigrationTools): Promise<void> {
  for (const name of ['orders', 'cards']) {
    await trx.schema
      .alterTable(name)
      .addColumn('term_months', integer, c => c.check(sql`term_months >= 12`))
      .execute()
    await trx.schema.alterTable(name).addColumn('reminder_days', 'text').execute()
  }
  await trx.schema
    .alterTable('cards')
    .addColumn('reminders_sent', integer, c => c.notNull().defaultTo(0).check(sql`reminders_sent >= 0`))
    .execute()
  await sql`update cards set reminders_sent =
    (select count(*) from jobs where jobs.subject = cards.id and jobs.kind = 'reminder')`.execute(trx)
  await trx.schema.alterTable('orders').addColumn('fallback_ngo_id', 'text').execute()
  await trx.schema
    .alterTable('draws')
    .addColumn('chosen_by', 'text', c => c.check(sql`chosen_by in ('chance', 'buyer')`))
    .execute()
}
