import { CARD_MOVES } from '#domain/card/states.ts'
import { Problem } from '#domain/problems.ts'
import { queueUsedLetter } from '#server/modules/gifts/answers/letters.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { RedeemTools } from '#server/modules/gifts/cards/redeem.ts'
import { refuseUnreconciled } from '#server/modules/gifts/cards/restored.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import { leftToDraw, noteHold } from '#server/modules/gifts/holds.ts'
import { isOfMany } from '#server/modules/gifts/of-many.ts'
import { type Card, changeCard } from '#server/modules/gifts/stored-cards.ts'
import type { Writer } from '#server/platform/db/database.ts'

type LeaveTools = Pick<RedeemTools, 'db' | 'keys' | 'clock' | 'outlasting'>

/**
 * Leaves a card to the draw, for good (product.md#left-to-the-draw): from then on nobody can divide it, and the next draw
 * takes it. The giver is written to as of a card that was used. A card that was left before is left: that is a success.
 * @param key the private key; the public one answers as if there were no such card
 * @throws Problem card-not-found, card-consumed, temporarily-unavailable while a backup is not reconciled
 */
export async function leaveCard(tools: LeaveTools, key: string): Promise<void> {
  const { db, keys, clock } = tools
  const { card, keyKind } = await db.read(reader => findByKey(reader, keys, 'donation', key))
  if (keyKind !== 'private') throw new Problem('card-not-found')
  const outcome = await db.transaction(trx => leave(trx, keys, card, clock()))
  // It has changed since it was read: it was used, or a lost dispute has taken a part of its credit, say.
  if (outcome === 'changed') return leaveCard(tools, key)
  if (outcome === 'left') await tools.outlasting?.()
}

async function leave(
  trx: Writer,
  keys: CardKeys,
  card: Card,
  now: number,
): Promise<'left' | 'left-before' | 'changed'> {
  if ((await leftToDraw(trx, [card.id])).has(card.id)) return 'left-before'
  const status = CARD_MOVES[card.status]['left-to-draw']
  if (status !== 'left') throw new Problem('card-consumed')
  await refuseUnreconciled(trx, card.id)
  // As with a use: the update itself asks whether the card is as it was read, and so decides who gets it.
  if (!(await changeCard(trx, keys, 'donation', card, { status }))) return 'changed'
  await noteHold(trx, card.id, { reason: 'draw', stands: true, at: now })
  if (card.email !== null && !(await isOfMany(trx, card))) await queueUsedLetter(trx, card.id, now)
  return 'left'
}
