import { numberOfCard } from '#domain/card/batch.ts'
import type { CountedCard, UseOfCard } from '#domain/card/figures-of-many.ts'
import { isGiven } from '#domain/card/states.ts'
import type { KeptRow } from '#server/modules/gifts/order-rows.ts'
import type { Card } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { UnusedOfMany } from './interface.ts'

/** How the cards of an order were used, by the card's id. */
export async function usesOfOrder(db: Reader, orderId: string): Promise<ReadonlyMap<string, UseOfCard>> {
  const rows = await db
    .selectFrom('redemptions')
    .innerJoin('cards', 'cards.id', 'redemptions.card_id')
    .leftJoin('allocations', 'allocations.card_id', 'redemptions.card_id')
    .select(['redemptions.card_id', 'redemptions.cause', 'redemptions.created_at'])
    .select(['allocations.ngo_id', 'allocations.amount'])
    .where('cards.order_id', '=', orderId)
    .execute()
  const uses = new Map<string, UseOfCard>()
  for (const { card_id: id, cause, created_at: at, ngo_id: ngoId, amount } of rows) {
    const shares = [
      ...(uses.get(id)?.shares ?? []),
      ...(ngoId === null || amount === null ? [] : [{ ngoId, amount }]),
    ]
    uses.set(id, { cause, at, shares })
  }
  const left = await db
    .selectFrom('card_holds')
    .innerJoin('cards', 'cards.id', 'card_holds.card_id')
    .select(['cards.id', 'card_holds.created_at', 'cards.status'])
    .where('cards.order_id', '=', orderId)
    .where('card_holds.reason', '=', 'draw')
    .execute()
  // What was left to the draw is used from then on, wherever the draw takes it; what is held or went back is not.
  for (const { id, created_at: at, status } of left)
    if (isGiven(status)) uses.set(id, { cause: 'draw', at, shares: [] })
  return uses
}

/** A card as its buyer counts it, and whom they named for it. */
export const numbered = ({ position }: Pick<Card, 'position'>, rows: readonly KeptRow[]): UnusedOfMany => ({
  number: numberOfCard(position),
  name: rows.find(row => row.position === position)?.name ?? null,
})

/** The cards as their figures count them. */
export const counted = (
  cards: readonly (Pick<CountedCard, 'status'> & { readonly id: string })[],
  uses: ReadonlyMap<string, UseOfCard>,
): readonly CountedCard[] => cards.map(({ id, status }) => ({ status, use: uses.get(id) }))
