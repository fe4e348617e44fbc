import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * What the recipient of a card is told it by again: the digest of the receipt key, what the key is made of, and which
 * attempt used the card. Uses from before have none of it, and are shown to nobody any more.
 */
export async function createReceipts({ trx }: MigrationTools): Promise<void> {
  for (const column of ['attempt_digest', 'receipt_digest', 'receipt_nonce'])
    await trx.schema.alterTable('redemptions').addColumn(column, 'text').execute()
  await sql`create unique index redemptions_by_receipt on redemptions (receipt_digest)
    where receipt_digest is not null`.execute(trx)
}
