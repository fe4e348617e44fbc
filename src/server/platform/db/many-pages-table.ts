import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The page of each order of many cards: which key opens it, and whether the links of its cards were shown. */
export async function createManyPages({ integer, table }: MigrationTools): Promise<void> {
  await table('many_pages')
    .addColumn('order_id', 'text', c => c.notNull().primaryKey().references('orders.id'))
    .addColumn('key_version', integer, c => c.notNull().check(sql`key_version > 0`))
    .addColumn('showing_digest', 'text')
    .addColumn('showing_position', integer, c => c.check(sql`showing_position >= 0`))
    .addColumn('shown_at', integer)
    .addColumn('created_at', integer, c => c.notNull())
    .addCheckConstraint('many_pages_shown', sql`(showing_digest is null) = (shown_at is null)`)
    .execute()
}
