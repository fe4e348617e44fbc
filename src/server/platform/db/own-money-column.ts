import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** An order of own money says beforehand to whom it goes (docs/decisions/0133-own-money.md). */
export async function createOwnMoney({ trx }: MigrationTools): Promise<void> {
  await sql`alter table orders add column split_sealed text
    check (split_sealed is null or (kind = 'donation' and card_count = 1))`.execute(trx)
}
