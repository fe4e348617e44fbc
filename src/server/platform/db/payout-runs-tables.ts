import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Runs of payouts, the account that each payout goes to, and payouts that were taken back. */
export async function createPayoutRuns({ trx, integer, table, changeChecks }: MigrationTools): Promise<void> {
  await table('payout_runs')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    // This key is what keeps a run that is asked for twice from being made twice.
    .addColumn('run_key', 'text', c => c.notNull().unique())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await trx.schema
    .alterTable('payouts')
    .addColumn('run_id', 'text', c => c.references('payout_runs.id'))
    .execute()
  await trx.schema
    .alterTable('payouts')
    .addColumn('account_id', 'text', c => c.references('payee_accounts.id'))
    .execute()
  await trx.schema
    .alterTable('payouts')
    .addColumn('cancelled_at', integer, c =>
      c.check(sql`(status = 'cancelled') = (cancelled_at is not null)`),
    )
    .execute()
  await changeChecks('payouts', [
    { from: "status in ('open', 'paid')", to: "status in ('open', 'paid', 'cancelled')" },
    {
      from: `(status = 'open' and reference is null and paid_at is null)
        or (status = 'paid' and reference is not null and paid_at is not null)`,
      to: `(status in ('open', 'cancelled') and reference is null and paid_at is null)
        or (status = 'paid' and reference is not null and paid_at is not null)`,
    },
  ])
  await sql`create index payouts_of_run on payouts (run_id) where run_id is not null`.execute(trx)
}
