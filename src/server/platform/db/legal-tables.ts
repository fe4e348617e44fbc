import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What orders from before there were versions of the terms refer to. No release names it, so none can refer to it anew. */
const BEFORE_VERSIONS = 'before-versions'

/** The texts of the law in all their versions, when each came, and what a buyer accepted (product.md#texts-of-the-law). */
export async function createLegalTexts({
  trx,
  integer,
  table,
  appendOnly,
  changeChecks,
}: MigrationTools): Promise<void> {
  const page = sql`page in ('legal-notice', 'terms', 'privacy')`
  await table('legal_texts')
    .addColumn('version', 'text', c => c.notNull().primaryKey())
    .addColumn('page', 'text', c => c.notNull().check(page))
    .addColumn('content', 'text', c => c.notNull())
    .execute()
  await table('legal_releases')
    .addColumn('page', 'text', c => c.notNull().check(page))
    .addColumn('since', integer, c => c.notNull())
    .addColumn('version', 'text', c => c.notNull().references('legal_texts.version'))
    .addPrimaryKeyConstraint('legal_releases_pk', ['page', 'since'])
    .execute()
  await sql`insert into legal_texts (version, page, content)
    select ${sql.lit(BEFORE_VERSIONS)}, 'terms', '{}' where exists (select 1 from orders)`.execute(trx)
  await appendOnly('legal_texts')
  await appendOnly('legal_releases')

  await trx.schema
    .alterTable('orders')
    .addColumn('terms_version', 'text', c =>
      c.references('legal_texts.version').check(sql`terms_version is null or terms_version <> ''`),
    )
    .execute()
  await trx.schema.alterTable('orders').addColumn('fulfilment_consent', 'text').execute()
  await sql`update orders set terms_version = ${sql.lit(BEFORE_VERSIONS)}`.execute(trx)
  await changeChecks('orders', [
    { from: `terms_version is null or terms_version <> ''`, to: 'terms_version is not null' },
  ])
}
