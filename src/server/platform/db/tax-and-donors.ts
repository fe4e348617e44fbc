import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * The value added tax within the support of each order, as it was quoted. Null in orders from before: what was shown as
 * tax counts for them. And who gave, where a market's law asks for it.
 */
export async function createTaxAndDonors({ trx, integer, table }: MigrationTools): Promise<void> {
  await trx.schema
    .alterTable('orders')
    .addColumn('vat_rate', integer, c => c.check(sql`vat_rate between 0 and 5000`))
    .execute()
  await trx.schema
    .alterTable('orders')
    .addColumn('vat_amount', integer, c =>
      // In steps that PostgreSQL writes down as it reads them: a restored database has the same text.
      c.check(
        sql`(vat_amount is null) = (vat_rate is null) and vat_amount >= 0 and vat_amount <= support_amount`,
      ),
    )
    .execute()
  await table('donor_identities')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('name', 'text', c => c.notNull().check(sql`name <> ''`))
    .addColumn('document', 'text', c => c.notNull().check(sql`document <> ''`))
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await trx.schema
    .createIndex('donor_identities_by_age')
    .on('donor_identities')
    .column('created_at')
    .execute()
}
