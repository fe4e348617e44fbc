import { sql } from 'kysely'
import { PAYEE_WAIT_MS } from '#domain/payout/payee-accounts.ts'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Where organisations are paid. The CHECKs and indexes say what keeps money from going astray. */
export async function createPayeeAccounts({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('payee_accounts')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('ngo_id', 'text', c => c.notNull())
    .addColumn('state', 'text', c => c.notNull().check(sql`state in ('proposed', 'current', 'ended')`))
    .addColumn('legal_name', 'text', c => c.notNull())
    .addColumn('tax_number', 'text')
    .addColumn('country', 'text', c => c.notNull())
    .addColumn('iban', 'text')
    .addColumn('number', 'text')
    .addColumn('routing', 'text')
    .addColumn('bic', 'text')
    .addColumn('contact', 'text')
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('replaces', 'text', c => c.references('payee_accounts.id'))
    .addColumn('proposed_at', integer, c => c.notNull())
    .addColumn('told_at', integer)
    .addColumn('confirmed_by', 'text')
    .addColumn('confirmed_how', 'text', c =>
      c.check(sql`confirmed_how in ('phone', 'video', 'letter', 'in-person')`),
    )
    .addColumn('confirmed_at', integer)
    .addColumn('ended_at', integer)
    .addColumn('seal', 'text', c => c.notNull())
    .addCheckConstraint(
      'payee_accounts_one_number',
      sql`(iban is not null and number is null and routing is null)
        or (iban is null and number is not null and (routing is not null or bic is not null))`,
    )
    // Somebody at the organisation was asked, by another way than mail.
    .addCheckConstraint(
      'payee_accounts_confirmed',
      sql`state <> 'current' or (confirmed_by is not null and confirmed_how is not null and confirmed_at is not null)`,
    )
    .addCheckConstraint(
      'payee_accounts_waited',
      sql`confirmed_at is null or replaces is null
        or (told_at is not null and confirmed_at >= told_at + ${sql.lit(PAYEE_WAIT_MS)})`,
    )
    .addCheckConstraint('payee_accounts_ended', sql`(state = 'ended') = (ended_at is not null)`)
    .execute()
  // One account is paid to, and one change waits.
  await sql`create unique index payee_accounts_current on payee_accounts (ngo_id) where state = 'current'`.execute(
    trx,
  )
  await sql`create unique index payee_accounts_proposed on payee_accounts (ngo_id) where state = 'proposed'`.execute(
    trx,
  )
  await sql`create index payee_accounts_to_forget on payee_accounts (ended_at)
    where contact is not null or confirmed_by is not null`.execute(trx)
}
