import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What recipients have givers told, and whose letters were stopped by whom. */
export async function createGiftAnswers({ integer, table }: MigrationTools): Promise<void> {
  await table('gift_answers')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('redemptions.card_id'))
    .addColumn('request_digest', 'text', c => c.notNull())
    .addColumn('names', 'text', c => c.notNull().check(sql`names in ('said', 'kept')`))
    .addColumn('words', 'text')
    .addColumn('letter', 'text', c => c.notNull().check(sql`letter in ('first', 'second')`))
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  // Of cards of every kind, so it refers to no table of theirs.
  await table('letter_stops')
    .addColumn('card_id', 'text', c => c.notNull())
    .addColumn('stopped_by', 'text', c => c.notNull().check(sql`stopped_by in ('giver', 'operator')`))
    .addColumn('created_at', integer, c => c.notNull())
    .addPrimaryKeyConstraint('letter_stops_pk', ['card_id', 'stopped_by'])
    .execute()
}
