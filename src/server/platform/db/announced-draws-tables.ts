import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** Draws that are announced in the public ledger before the value exists by which they are made. */
export async function createAnnouncedDraws({ trx, integer, table }: MigrationTools): Promise<void> {
  await table('draw_announcements')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('terms', 'text', c => c.notNull())
    .addColumn('draw_at', integer, c => c.notNull())
    .addColumn('created_at', integer, c => c.notNull())
    // What is published only after its value is known would be no announcement.
    .addColumn('published_at', integer, c => c.check(sql`published_at < draw_at`))
    .addColumn('secret', 'text')
    .addColumn('signature', 'text')
    .addColumn('size', integer, c => c.check(sql`size > 0`))
    .execute()
  await table('draw_cards')
    .addColumn('card_id', 'text', c => c.notNull().references('cards.id'))
    .addColumn('attempt', integer, c => c.notNull().check(sql`attempt >= 1`))
    .addColumn('announcement_id', 'text', c => c.notNull().references('draw_announcements.id'))
    .addColumn('blind', 'text', c => c.notNull())
    .addColumn('nonce', 'text')
    // Of two processes that announce the same card, one fails here.
    .addPrimaryKeyConstraint('draw_cards_once', ['card_id', 'attempt'])
    .execute()
  await trx.schema.alterTable('draws').addColumn('announcement_id', 'text').execute()
  await trx.schema.alterTable('draws').addColumn('gone', 'text').execute()
  for (const index of [
    sql`draw_cards_of on draw_cards (announcement_id)`,
    sql`draw_announcements_unpublished on draw_announcements (draw_at) where published_at is null`,
  ])
    await sql`create index ${index}`.execute(trx)
}
