import type { Card } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * The orders of many among those of some cards. Whoever bought many is written to about the order, not about each card,
 * and is told of no card's use.
 */
export async function ordersOfMany(
  db: Reader,
  cards: readonly Pick<Card, 'order_id'>[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(cards.flatMap(({ order_id: id }) => (id === null ? [] : [id])))]
  if (ids.length === 0) return new Set()
  const many = await db
    .selectFrom('orders')
    .select('id')
    .where('id', 'in', ids)
    .where('card_count', '>', 1)
    .execute()
  return new Set(many.map(({ id }) => id))
}

/** Was this card bought with others in one order? */
export const isOfMany = async (db: Reader, card: Pick<Card, 'order_id'>): Promise<boolean> =>
  (await ordersOfMany(db, [card])).size > 0

/** What the one mail of its kind is about: the order of many, or else the card itself. */
export const mailedOf = (
  { id, order_id: orderId }: Pick<Card, 'id' | 'order_id'>,
  many: ReadonlySet<string>,
): string => (orderId !== null && many.has(orderId) ? orderId : id)
