import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** A payout that was noted as paid by mistake waits for the bank again (docs/decisions/0149-paid-by-mistake.md). */
export async function createPayoutsTakenBack({ trx, integer }: MigrationTools): Promise<void> {
  await sql`alter table payouts add column seen_at ${integer}
    check (seen_at is null or status = 'paid')`.execute(trx)
  await sql`alter table payouts add column taken_back ${integer} not null default 0
    check (taken_back >= 0)`.execute(trx)
}
