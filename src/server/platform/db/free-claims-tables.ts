import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What free campaigns have given away, and to which mailboxes (product.md#free-cards). */
export async function createFreeClaims({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('free_campaigns')
    .addColumn('tag', 'text', c => c.notNull().primaryKey())
    .addColumn('claimed', integer, c => c.notNull().check(sql`claimed >= 0`))
    .execute()
  await table('free_claims')
    .addColumn('address_digest', 'text', c => c.notNull().primaryKey())
    .addColumn('tag', 'text', c => c.notNull().references('free_campaigns.tag'))
    .addColumn('card_id', 'text', c => c.notNull().unique().references('cards.id'))
    .addColumn('attempt_key_digest', 'text')
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await trx.schema.createIndex('free_claims_of').on('free_claims').column('tag').execute()
}
