import {
  ORDER_SEALED,
  type SealedCard,
  type Sealer,
  sealOfCard,
  sealOfOrder,
} from '#server/modules/ledger/seals.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * The organisation that the buyer of each of these cards named for its end, by the card's id. A name counts where the
 * seals of the card and of its order are whole: another hand could have written it, or led a card to another's order.
 */
export async function namedOrganisations(
  db: Reader,
  keys: Sealer,
  cards: readonly SealedCard[],
): Promise<ReadonlyMap<string, string>> {
  const whole = cards.filter(card => card.order_id !== null && card.seal === sealOfCard(keys, card))
  if (whole.length === 0) return new Map()
  const orders = await db
    .selectFrom('orders')
    .select(ORDER_SEALED)
    .where(
      'id',
      'in',
      whole.map(card => card.order_id),
    )
    .where('fallback_ngo_id', 'is not', null)
    .execute()
  const named = new Map(
    orders
      .filter(order => order.seal === sealOfOrder(keys, order))
      .map(({ id, fallback_ngo_id: ngoId }) => [id, ngoId ?? '']),
  )
  return new Map(
    whole.flatMap(({ id, order_id: orderId }) => {
      const ngoId = named.get(orderId ?? '')
      return ngoId === undefined ? [] : [[id, ngoId]]
    }),
  )
}
