import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * How each theme looked, and when: a card keeps the look that it was bought with (product.md#themes). And since when a link
 * of an organisation fails (product.md#content).
 */
export async function createThemesAndLinks({ table, integer, appendOnly }: MigrationTools): Promise<void> {
  await table('theme_releases')
    .addColumn('theme_id', 'text', c => c.notNull())
    .addColumn('since', integer, c => c.notNull())
    .addColumn('state', 'text', c => c.notNull().check(sql`state in ('published', 'withdrawn')`))
    .addColumn('look', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('theme_releases_pk', ['theme_id', 'since'])
    .execute()
  await appendOnly('theme_releases')

  await table('link_looks')
    .addColumn('link', 'text', c => c.notNull().primaryKey())
    .addColumn('looked_at', integer, c => c.notNull())
    .addColumn('failing_since', integer)
    .addColumn('failed', integer, c => c.notNull())
    .addColumn('reason', 'text')
    .addCheckConstraint('link_looks_failing', sql`(failing_since is null) = (failed = 0)`)
    .execute()
}
