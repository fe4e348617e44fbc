import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What a withdrawal needs: why cards are held, which charge paid an order, who withdrew from what and when. */
export async function createWithdrawals({
  trx,
  integer,
  table,
  changeChecks,
}: MigrationTools): Promise<void> {
  await changeChecks('cards', [
    {
      from: "status in ('active', 'consumed', 'frozen', 'revoked')",
      to: "status in ('active', 'consumed', 'frozen', 'cancelling', 'revoked')",
    },
  ])
  await changeChecks('volunteering_cards', [
    {
      from: "status in ('active', 'frozen', 'revoked')",
      to: "status in ('active', 'frozen', 'cancelling', 'revoked')",
    },
  ])
  // Of cards of every kind, so it refers to no table of theirs.
  await table('card_holds')
    .addColumn('card_id', 'text', c => c.notNull())
    .addColumn('reason', 'text', c => c.notNull().check(sql`reason in ('dispute', 'operator', 'withdrawal')`))
    .addColumn('created_at', integer, c => c.notNull())
    .addPrimaryKeyConstraint('card_holds_pk', ['card_id', 'reason'])
    .execute()
  // Until now there was one reason.
  for (const name of ['cards', 'volunteering_cards'])
    await sql`insert into card_holds (card_id, reason, created_at)
      select id, 'dispute', created_at from ${sql.id(name)} where status = 'frozen'`.execute(trx)

  await table('charges')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('charge_id', 'text', c => c.notNull().unique())
    .execute()
  // Nothing of these is changed: the first time is the one that counts.
  await table('book_downloads')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('volunteering_cards.id'))
    .addColumn('created_at', integer, c => c.notNull())
    .execute()

  await table('withdrawals')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('state', 'text', c =>
      c.notNull().check(sql`state in ('waiting', 'refunding', 'refunded', 'failed', 'closed')`),
    )
    .addColumn('answer', 'text', c =>
      c.notNull().check(sql`answer in ('whole', 'support', 'used', 'too-late', 'given-back', 'unpaid')`),
    )
    .addColumn('amount', integer, c => c.notNull().check(sql`amount >= 0`))
    .addColumn('attempt', integer, c => c.notNull().check(sql`attempt >= 1`))
    .addColumn('stated_at', integer, c => c.notNull())
    .addColumn('confirmed_at', integer, c => c.notNull().check(sql`confirmed_at >= stated_at`))
    .addColumn('changed_at', integer, c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('email', 'text')
    .addColumn('seal', 'text')
    // What money follows has an amount; what is answered otherwise is over at once.
    .addCheckConstraint(
      'withdrawals_refund_an_amount',
      sql`(answer in ('whole', 'support')) = (amount > 0) and (answer in ('whole', 'support') or state = 'closed')`,
    )
    .execute()
  await sql`create index withdrawals_unfinished on withdrawals (changed_at)
    where state in ('waiting', 'refunding')`.execute(trx)

  await table('withdrawal_statements')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('order_id', 'text')
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('email', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await sql`create index withdrawal_statements_by_address on withdrawal_statements (address, created_at)`.execute(
    trx,
  )
  await sql`create index withdrawal_statements_age on withdrawal_statements (created_at)`.execute(trx)
}
