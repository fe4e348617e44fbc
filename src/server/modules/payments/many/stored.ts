import type { Selectable } from 'kysely'
import { numberOfCard } from '#domain/card/batch.ts'
import type { CountedCard, UseOfCard } from '#domain/card/figures-of-many.ts'
import { isGiven } from '#domain/card/states.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { KeptRow } from '#server/modules/gifts/order-rows.ts'
import type { Card } from '#server/modules/gifts/stored-cards.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { ManyPagesTable } from '#server/platform/db/schema.ts'
import type { UnusedOfMany } from './interface.ts'

export type ManyPage = Selectable<ManyPagesTable>

/** Gives an order of many its page, in the transaction that makes the cards. @param now epoch ms UTC */
export async function addManyPage(
  trx: Writer,
  keys: Pick<CardKeys, 'firstVersion'>,
  orderId: string,
  now: number,
): Promise<void> {
  const first = {
    key_version: keys.firstVersion,
    showing_digest: null,
    showing_position: null,
    shown_at: null,
  }
  await trx
    .insertInto('many_pages')
    .values({ order_id: orderId, ...first, created_at: now })
    .execute()
}

/** The page of an order; undefined for an order of one, or one that is not paid. */
export function manyPageOf(db: Reader, orderId: string): Promise<ManyPage | undefined> {
  return db.selectFrom('many_pages').selectAll().where('order_id', '=', orderId).executeTakeFirst()
}

/** Changes a page that is locked with its order. */
export async function changeManyPage(
  trx: Writer,
  orderId: string,
  set: Partial<Omit<ManyPage, 'order_id'>>,
): Promise<void> {
  await trx.updateTable('many_pages').set(set).where('order_id', '=', orderId).execute()
}

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
