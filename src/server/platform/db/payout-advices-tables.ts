import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Mails to organisations about their payouts, and what was confirmed by their links. */
export async function createPayoutAdvices({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('payout_advices')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('payout_id', 'text', c => c.notNull().references('payouts.id'))
    .addColumn('account_id', 'text', c => c.notNull().references('payee_accounts.id'))
    .addColumn('key_version', integer, c => c.notNull())
    .addColumn('key_digest', 'text', c => c.notNull().unique())
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('withdrawn_at', integer)
    .addColumn('received_at', integer)
    .addColumn('receipt_kind', 'text', c => c.check(sql`receipt_kind in ('pdf', 'png', 'jpg')`))
    .addColumn('receipt_digest', 'text')
    .addColumn('receipt_bytes', integer, c => c.check(sql`receipt_bytes > 0`))
    .addCheckConstraint(
      'payout_advices_receipt',
      sql`(receipt_kind is null) = (receipt_digest is null) and (receipt_kind is null) = (receipt_bytes is null)
        and (receipt_kind is null or received_at is not null)`,
    )
    .execute()
  // One link of a payout is alive.
  await sql`create unique index payout_advices_alive on payout_advices (payout_id) where withdrawn_at is null`.execute(
    trx,
  )
}
