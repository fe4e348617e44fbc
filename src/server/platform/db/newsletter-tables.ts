import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Who asked for the newsletter, and what proves that they did. */
export async function createNewsletter({ integer, table }: MigrationTools): Promise<void> {
  await table('newsletter_subscribers')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('address_digest', 'text', c => c.notNull().unique())
    .addColumn('status', 'text', c => c.notNull().check(sql`status in ('pending', 'active', 'unsubscribed')`))
    .addColumn('email', 'text')
    .addColumn('name', 'text')
    .addColumn('phone', 'text')
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('text_version', integer, c => c.notNull())
    .addColumn('asked_at', integer, c => c.notNull())
    .addColumn('whatsapp_at', integer)
    .addColumn('confirmed_at', integer)
    .addColumn('unsubscribed_at', integer)
    .addCheckConstraint(
      'newsletter_forgets_who_left',
      sql`status <> 'unsubscribed' or (email is null and name is null and phone is null)`,
    )
    .execute()
}
