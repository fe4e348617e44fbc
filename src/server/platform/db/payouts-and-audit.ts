import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The tables of what happens after the sale: jobs, draws, reminders, payouts, signs of life, the audit log. */
export async function createPayoutsAndAudit({
  trx,
  integer,
  table,
  appendOnly,
}: MigrationTools): Promise<void> {
  await table('periodic_jobs')
    .addColumn('name', 'text', c => c.notNull().primaryKey())
    .addColumn('next_run_at', integer, c => c.notNull())
    .addColumn('lease_until', integer)
    .addColumn('holder', 'text')
    .addColumn('started_at', integer)
    .addColumn('finished_at', integer)
    .addColumn('outcome', 'text', c => c.check(sql`outcome in ('done', 'failed', 'refused')`))
    .addColumn('result', 'text')
    .execute()

  await table('draws')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('redemptions.card_id'))
    .addColumn('candidates', 'text', c => c.notNull())
    .addColumn('drawn', integer, c => c.notNull().check(sql`drawn >= 0`))
    .addColumn('ngo_id', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await appendOnly('draws')

  await trx.schema.alterTable('cards').addColumn('remind_at', integer).execute()
  // The morning of the 30th day before the last; cards sold from now on get theirs when they are made.
  await sql`update cards set remind_at = auto_donate_at - ${sql.lit(31 * 86_400_000 - 9 * 3_600_000)}
    where status in ('active', 'frozen')`.execute(trx)
  await trx.schema
    .createIndex('cards_to_remind')
    .on('cards')
    .column('remind_at')
    .where(sql`status`, '=', sql`'active'`)
    .where(sql`remind_at`, 'is not', null)
    .execute()
  await sql`create index cards_with_a_person on cards (id)
    where status in ('consumed', 'revoked') and (email is not null or sender_name is not null)`.execute(trx)
  await sql`create index cards_by_address on cards (lower(email)) where email is not null`.execute(trx)

  await table('payouts')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('ngo_id', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('amount', integer, c => c.notNull().check(sql`amount > 0`))
    .addColumn('status', 'text', c => c.notNull().check(sql`status in ('open', 'paid')`))
    .addColumn('reference', 'text')
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('paid_at', integer)
    .addCheckConstraint(
      'payouts_paid_have_a_reference',
      sql`(status = 'open' and reference is null and paid_at is null)
        or (status = 'paid' and reference is not null and paid_at is not null)`,
    )
    .execute()
  await table('payout_allocations')
    .addColumn('card_id', 'text', c => c.notNull())
    .addColumn('ngo_id', 'text', c => c.notNull())
    .addColumn('payout_id', 'text', c => c.notNull().references('payouts.id'))
    // This key is what keeps an allocation from being paid out twice.
    .addPrimaryKeyConstraint('payout_allocations_pk', ['card_id', 'ngo_id'])
    .addForeignKeyConstraint('payout_allocations_of_an_allocation', ['card_id', 'ngo_id'], 'allocations', [
      'card_id',
      'ngo_id',
    ])
    .execute()
  await trx.schema.createIndex('payout_allocations_of').on('payout_allocations').column('payout_id').execute()

  await table('sightings')
    .addColumn('name', 'text', c => c.notNull().primaryKey())
    .addColumn('at', integer, c => c.notNull())
    .execute()

  await table('audit_log')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('actor', 'text', c => c.notNull())
    .addColumn('action', 'text', c => c.notNull())
    .addColumn('subject', 'text')
    .addColumn('outcome', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await appendOnly('audit_log')
}
