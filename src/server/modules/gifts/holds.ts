import { type HoldReason, heldStatus } from '#domain/card/holds.ts'
import { type CardStatus, statusToWithdraw } from '#domain/card/states.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { queueHeldConfirmation } from '#server/modules/gifts/confirmation-jobs.ts'
import { CARD_TABLES, type CardOf, changeCard } from '#server/modules/gifts/stored-cards.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { forgetSight, sightedOf } from '#server/platform/db/sightings.ts'

/** Every reason for which a card, of any kind, is held now. */
export async function holdsOn(db: Reader, cardId: string): Promise<readonly HoldReason[]> {
  const rows = await db.selectFrom('card_holds').select('reason').where('card_id', '=', cardId).execute()
  return rows.map(({ reason }) => reason)
}

/** Those of some cards that a reason holds, and since when, epoch ms UTC. */
export async function cardsHeld(
  db: Reader,
  cardIds: readonly string[],
  reason: HoldReason,
): Promise<ReadonlyMap<string, number>> {
  if (cardIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('card_holds')
    .select(['card_id', 'created_at'])
    .where('card_id', 'in', cardIds)
    .where('reason', '=', reason)
    .execute()
  return new Map(rows.map(({ card_id: id, created_at: at }) => [id, at]))
}

/** Under what name it is kept since when an operator gives back a part of a card's money, which does not hold the card. */
export const nameOfPart = (cardId: string): string => `refund-of-part:${cardId}`

/** Since when operators give back money of some cards, whether it holds them or not: under way, or left over. Epoch ms UTC. */
export async function refundsBegun(db: Reader, cardIds: readonly string[]): Promise<readonly number[]> {
  const held = await cardsHeld(db, cardIds, 'refund')
  const parts = await sightedOf(db, cardIds.map(nameOfPart))
  return [...held.values(), ...parts.values()]
}

/** A card that a refund holds which an operator asked for. */
export interface HeldByRefund {
  readonly card: string
  readonly order: string
  /** Epoch ms UTC. */
  readonly since: number
}

/** All cards, of either kind, that a refund holds. */
export async function heldByRefunds(db: Reader): Promise<readonly HeldByRefund[]> {
  const held: HeldByRefund[] = []
  for (const table of CARD_TABLES) {
    const rows = await db
      .selectFrom('card_holds')
      .innerJoin(table as 'cards', `${table as 'cards'}.id`, 'card_holds.card_id')
      .select(['card_id as card', 'order_id', 'card_holds.created_at as since'])
      .where('reason', '=', 'refund')
      .orderBy('order_id')
      .orderBy('card_id')
      .execute()
    held.push(...rows.flatMap(({ order_id: order, ...row }) => (order === null ? [] : { ...row, order })))
  }
  return held
}

/** Under what name it is kept of which left-over refund of a card the payment provider was asked: by the instant since when it holds. */
export const nameOfFollowed = (cardId: string): string => `refund-followed:${cardId}`

/** Since when a reason holds a card, epoch ms UTC; undefined where it does not. */
export const heldSince = async (
  db: Reader,
  cardId: string,
  reason: HoldReason,
): Promise<number | undefined> => (await cardsHeld(db, [cardId], reason)).get(cardId)

/** Those of some cards that their recipients left to the draw, and when, epoch ms UTC. */
export const leftToDraw = (db: Reader, cardIds: readonly string[]): Promise<ReadonlyMap<string, number>> =>
  cardsHeld(db, cardIds, 'draw')

/** The state of each of some cards, as it was read, for a withdrawal. */
export async function statusesToWithdraw(
  db: Reader,
  cards: readonly { readonly id: string }[],
): Promise<(card: { readonly id: string; readonly status: CardStatus }) => CardStatus> {
  const left = await leftToDraw(
    db,
    cards.map(({ id }) => id),
  )
  return ({ id, status }) => statusToWithdraw(status, left.has(id))
}

/**
 * Notes that a reason stands, or no longer does, in the transaction that changes the card. The card must be locked.
 * @param at epoch ms UTC
 */
export async function noteHold(
  trx: Writer,
  cardId: string,
  { reason, stands, at }: { readonly reason: HoldReason; readonly stands: boolean; readonly at: number },
): Promise<void> {
  if (stands) {
    await trx
      .insertInto('card_holds')
      .values({ card_id: cardId, reason, created_at: at })
      .onConflict(conflict => conflict.columns(['card_id', 'reason']).doNothing())
      .execute()
    return
  }
  const ended = await trx
    .deleteFrom('card_holds')
    .where('card_id', '=', cardId)
    .where('reason', '=', reason)
    .returning('card_id')
    .executeTakeFirst()
  if (ended && reason === 'refund') await forgetSight(trx, nameOfFollowed(cardId))
}

/**
 * The same, and gives the card the state that its reasons make (`heldStatus`): both or neither. @returns that state
 * @param card locked, as it was read
 */
export async function holdCard<Kind extends GiftKind>(
  trx: Writer,
  keys: Sealer,
  kind: Kind,
  card: CardOf[Kind],
  hold: { readonly reason: HoldReason; readonly stands: boolean; readonly at: number },
): Promise<CardStatus> {
  await noteHold(trx, card.id, hold)
  const status = heldStatus(card.status, await holdsOn(trx, card.id))
  if (status === card.status) return status
  // The types of the two kinds do not tell the compiler that each has its own states.
  const set = { status } as { status: 'active' }
  if (!(await changeCard(trx, keys, kind, card as never, set)))
    throw new Error('The card that is held is not locked')
  await queueHeldConfirmation(trx, kind, { card, status, now: hold.at })
  return status
}
