import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * The keys of an order of many have a version of their own, which its page keeps (docs/decisions/0147-keys-of-an-order-of-many.md).
 * Until now they were of the versions of its cards: that of the first one stood in the buyer's mails. Without a value, as
 * an earlier program writes it, it is still that one.
 */
export async function createPurchaseKeys({ trx, integer }: MigrationTools): Promise<void> {
  await sql`alter table many_pages add column purchase_key_version ${integer} check (purchase_key_version > 0)`.execute(
    trx,
  )
  await sql`update many_pages set purchase_key_version =
    (select key_version from cards where cards.order_id = many_pages.order_id and cards.position = 0)`.execute(
    trx,
  )
}
