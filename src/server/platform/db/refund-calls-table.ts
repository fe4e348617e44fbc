import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The calls that ask for an operator's refund, as long as their answer is not known: one press of the button can make several. */
export async function createRefundCalls({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('refund_calls')
    .addColumn('card_id', 'text', c => c.notNull())
    .addColumn('press', 'text', c => c.notNull())
    .addColumn('holds', integer, c => c.notNull().check(sql`holds in (0, 1)`))
    .addColumn('begun_at', integer, c => c.notNull())
    .addPrimaryKeyConstraint('refund_calls_key', ['card_id', 'press', 'holds', 'begun_at'])
    .execute()
  await trx.schema.createIndex('refund_calls_begun').on('refund_calls').column('begun_at').execute()
  // Their names in the table of sightings ended with the instant: refunds that were under way are found no more, and end as
  // left-overs do.
  await sql`delete from sightings where name like 'refund:%'`.execute(trx)
}
