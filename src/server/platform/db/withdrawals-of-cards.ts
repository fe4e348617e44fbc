import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

const KEPT = sql.raw(
  'order_id, state, answer, amount, attempt, stated_at, confirmed_at, changed_at, name, email, seal',
)

/**
 * Several withdrawals from one order, each of cards of its own (docs/decisions/0134-giving-back-some-of-many.md). Until now
 * the order was the key of its only one, so that the table is made anew. Those that there are stay as they are, under the
 * number 1.
 */
export async function createWithdrawalsOfCards({ trx, integer, table }: MigrationTools): Promise<void> {
  await sql`create table withdrawals_before as select ${KEPT} from withdrawals`.execute(trx)
  await sql`drop table withdrawals`.execute(trx)
  await table('withdrawals')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('order_id', 'text', c => c.notNull().references('orders.id'))
    .addColumn('number', integer, c => c.notNull().check(sql`number >= 1`))
    .addColumn('cards', 'text', c => c.check(sql`cards <> ''`))
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
    .addUniqueConstraint('withdrawals_numbered', ['order_id', 'number'])
    // What money follows has an amount; what is answered otherwise is over at once.
    .addCheckConstraint(
      'withdrawals_refund_an_amount',
      sql`(answer in ('whole', 'support')) = (amount > 0) and (answer in ('whole', 'support') or state = 'closed')`,
    )
    .execute()
  await sql`insert into withdrawals (id, number, ${KEPT}) select order_id, 1, ${KEPT} from withdrawals_before`.execute(
    trx,
  )
  await sql`drop table withdrawals_before`.execute(trx)
  await sql`create index withdrawals_unfinished on withdrawals (changed_at)
    where state in ('waiting', 'refunding')`.execute(trx)
}
