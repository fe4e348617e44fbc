import type { Announcement } from '#domain/public-ledger/draw.ts'
import { publishedAs } from '#server/modules/public-ledger/announcements.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** A card that was announced before its draw. */
export interface AnnouncedCard {
  readonly blind: string
  /** As it can be read by everybody; missing as long as it cannot, or where it could only once its value was known. */
  readonly published?: { readonly id: string; readonly drawAt: number; readonly announcement: Announcement }
}

/** Those of some cards that were announced, each by the first announcement that counts. */
export async function announcedCards(
  db: Reader,
  cardIds: readonly string[],
): Promise<ReadonlyMap<string, AnnouncedCard>> {
  if (cardIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('draw_cards')
    .innerJoin('draw_announcements', 'draw_announcements.id', 'draw_cards.announcement_id')
    .select(['card_id', 'announcement_id', 'blind', 'draw_at', 'published_at'])
    .where('card_id', 'in', cardIds)
    .orderBy('attempt')
    .execute()
  const found = new Map<string, AnnouncedCard>()
  const lines = new Map<string, Announcement | undefined>()
  for (const { card_id, announcement_id: id, blind, draw_at: drawAt, published_at } of rows) {
    if (found.get(card_id)?.published) continue
    found.set(card_id, { blind })
    if (published_at === null) continue
    // What everybody can read counts, and not what else stands in the database.
    if (!lines.has(id)) lines.set(id, (await publishedAs(db, id))?.leaf.announcement)
    const announcement = lines.get(id)
    if (announcement?.blinds.includes(blind))
      found.set(card_id, { blind, published: { id, drawAt, announcement } })
  }
  return found
}
