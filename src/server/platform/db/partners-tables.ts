import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Partners with their keys, and the orders that they opened. */
export async function createPartners({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('partners')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('contact', 'text')
    .addColumn('scopes', 'text', c =>
      c.notNull().check(sql`scopes in ('orders:create', 'orders:read', 'orders:create orders:read')`),
    )
    .addColumn('key_digest', 'text', c => c.unique())
    .addColumn('seal', 'text', c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    .addColumn('used_day', 'text')
    .addColumn('revoked_at', integer)
    // A key that was revoked is forgotten: no other hand brings it back.
    .addCheckConstraint('partners_key', sql`(key_digest is null) = (revoked_at is not null)`)
    .addCheckConstraint('partners_contact', sql`contact is null or revoked_at is null`)
    .execute()
  await table('partner_orders')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('partner_id', 'text', c => c.notNull().references('partners.id'))
    .addColumn('reference', 'text', c => c.check(sql`length(reference) <= 64`))
    .addColumn('created_at', integer, c => c.notNull())
    .execute()
  await sql`create index partner_orders_of on partner_orders (partner_id)`.execute(trx)
  await sql`create index partner_orders_named on partner_orders (created_at)
    where reference is not null`.execute(trx)
}
