import type { CardOf } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** A gift that can be used, and of which its recipient has made nothing yet: an invitation has no answer, and its book was not fetched. */
export async function isUnopened(db: Reader, card: CardOf[keyof CardOf] | undefined): Promise<boolean> {
  if (card?.status !== 'active') return false
  if (!('answered_at' in card)) return true
  if (card.answered_at !== null) return false
  const book = await db
    .selectFrom('book_downloads')
    .select('card_id')
    .where('card_id', '=', card.id)
    .executeTakeFirst()
  return book === undefined
}
