import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * Invoices for orders of many cards, numbered within a year without a gap, and what was transferred back of them
 * (docs/decisions/0135-invoices-for-many.md).
 */
export async function createInvoices({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('invoice_years')
    .addColumn('year', integer, c => c.notNull().primaryKey())
    .addColumn('last', integer, c => c.notNull().check(sql`last > 0`))
    .execute()
  await table('invoices')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('year', integer, c => c.notNull())
    .addColumn('number', integer, c => c.notNull().check(sql`number > 0`))
    .addColumn('state', 'text', c => c.notNull().check(sql`state in ('open', 'paid', 'cancelled')`))
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('amount', integer, c => c.notNull().check(sql`amount > 0`))
    .addColumn('paid_on', 'text')
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('document', 'text', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('email', 'text')
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('changed_at', integer, c => c.notNull())
    .addColumn('seal', 'text', c => c.notNull())
    .addUniqueConstraint('invoices_number', ['year', 'number'])
    .addCheckConstraint('invoices_paid_on_a_day', sql`(state = 'paid') = (paid_on is not null)`)
    .execute()
  await table('bank_refunds')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('order_id', 'text', c => c.notNull().references('invoices.order_id'))
    .addColumn('amount', integer, c => c.notNull().check(sql`amount > 0`))
    .addColumn('cards', 'text', c => c.check(sql`cards <> ''`))
    .addColumn('withdrawal', integer)
    .addColumn('attempt', integer)
    .addColumn('made_at', integer, c => c.notNull())
    .addColumn('seal', 'text', c => c.notNull())
    // The same withdrawal is paid back once for each time that it asks.
    .addUniqueConstraint('bank_refunds_of_a_withdrawal', ['order_id', 'withdrawal', 'attempt'])
    .addCheckConstraint('bank_refunds_mark', sql`(withdrawal is null) = (attempt is null)`)
    .execute()
  await trx.schema.createIndex('bank_refunds_by_order').on('bank_refunds').column('order_id').execute()
}

/** What an invoice is for, and where its cards go, is sealed as well; its key can be replaced before there are cards. */
export async function sealInvoiceDetails({ trx, integer }: MigrationTools): Promise<void> {
  await trx.schema.alterTable('invoices').addColumn('details_seal', 'text').execute()
  await trx.schema
    .alterTable('invoices')
    .addColumn('key_version', integer, c => c.notNull().defaultTo(1))
    .execute()
}
