import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** What orders from before offers were kept refer to. No release names it. */
const BEFORE_OFFERS = 'before-offers'

const LEGAL = `page in ('legal-notice', 'terms', 'privacy')`
const WITH_OFFERS = `page in ('legal-notice', 'terms', 'privacy', 'offer')`

/** Offers are kept beside the texts of the law, and each order says from which one it was bought (product.md#packages). */
export async function keepOffers({ trx, changeChecks }: MigrationTools): Promise<void> {
  for (const table of ['legal_texts', 'legal_releases'])
    await changeChecks(table, [{ from: LEGAL, to: WITH_OFFERS }])
  await sql`insert into legal_texts (version, page, content)
    select ${sql.lit(BEFORE_OFFERS)}, 'offer', '{}' where exists (select 1 from orders)`.execute(trx)
  await trx.schema
    .alterTable('orders')
    .addColumn('offer_version', 'text', c =>
      c.references('legal_texts.version').check(sql`offer_version is null or offer_version <> ''`),
    )
    .execute()
  await sql`update orders set offer_version = ${sql.lit(BEFORE_OFFERS)}`.execute(trx)
  await changeChecks('orders', [
    { from: `offer_version is null or offer_version <> ''`, to: 'offer_version is not null' },
  ])
}
