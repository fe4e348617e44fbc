import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Gifts whose link the site mails on a day, and mailboxes that want none. */
export async function createSendings({ trx, integer, table }: MigrationTools): Promise<void> {
  // Of cards of every kind, so it refers to no table of theirs.
  await table('sendings')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey())
    .addColumn('gift', 'text', c => c.notNull().check(sql`gift in ('donation', 'volunteering')`))
    .addColumn('state', 'text', c =>
      c
        .notNull()
        .check(sql`state in ('planned', 'sending', 'sent', 'reminding', 'over', 'stopped', 'returned')`),
    )
    .addColumn('why', 'text', c => c.check(sql`why in ('giver', 'gift', 'forgotten', 'refused', 'unwanted')`))
    .addColumn('address_sealed', 'text')
    .addColumn('address_digest', 'text')
    .addColumn('day', 'text', c => c.notNull())
    .addColumn('zone', 'text', c => c.notNull())
    .addColumn('changes_left', integer, c => c.notNull().check(sql`changes_left between 0 and 3`))
    .addColumn('sent_at', integer)
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('changed_at', integer, c => c.notNull())
    .addCheckConstraint(
      'sendings_address',
      sql`(address_sealed is null) = (address_digest is null)
        and (address_sealed is not null or state in ('over', 'stopped', 'returned'))`,
    )
    .execute()
  await trx.schema.createIndex('sendings_due').on('sendings').columns(['state', 'day', 'card_id']).execute()
  await trx.schema.createIndex('sendings_of_address').on('sendings').column('address_digest').execute()
  await sql`create index sendings_kept on sendings (changed_at) where address_sealed is not null`.execute(trx)
  await table('sending_stops')
    .addColumn('address_digest', 'text', c => c.notNull().primaryKey())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
}

/**
 * The digest of a mailbox stays for a month after the reminder, while the address goes a month after the mail: whoever
 * presses *not for me* in the reminder still gives the gift back.
 */
export async function keepMailboxes({ trx, changeChecks }: MigrationTools): Promise<void> {
  await changeChecks('sendings', [
    {
      from: `(address_sealed is null) = (address_digest is null)
        and (address_sealed is not null or state in ('over', 'stopped', 'returned'))`,
      to: `(address_sealed is null or address_digest is not null)
        and (address_sealed is not null or state in ('over', 'stopped', 'returned'))`,
    },
  ])
  await sql`drop index sendings_kept`.execute(trx)
  await sql`create index sendings_kept on sendings (changed_at) where address_digest is not null`.execute(trx)
}
