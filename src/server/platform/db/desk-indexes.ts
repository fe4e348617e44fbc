import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What the operator's desk asks for: a movement by the provider's id of its refund, dispute or payout, and acts by card. */
export async function createDeskIndexes({ trx }: MigrationTools): Promise<void> {
  await sql`create index provider_movements_of_source on provider_movements (source_id)
    where source_id is not null`.execute(trx)
  await sql`create index audit_log_of on audit_log (subject) where subject is not null`.execute(trx)
}
