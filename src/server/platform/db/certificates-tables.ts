import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * Certificates for the tax office, numbered within a year without a gap: the last number of a year is a row that each new
 * certificate locks, in its own transaction.
 */
export async function createCertificates({ integer, table }: MigrationTools): Promise<void> {
  await table('certificate_years')
    .addColumn('year', integer, c => c.notNull().primaryKey())
    .addColumn('last', integer, c => c.notNull().check(sql`last > 0`))
    .execute()
  await table('certificates')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('year', integer, c => c.notNull())
    .addColumn('number', integer, c => c.notNull().check(sql`number > 0`))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('document', 'text', c => c.notNull())
    .addColumn('address', 'text', c => c.notNull())
    .addColumn('amount', integer, c => c.notNull().check(sql`amount > 0`))
    .addColumn('made_at', integer, c => c.notNull())
    .addUniqueConstraint('certificates_number', ['year', 'number'])
    .execute()
}
