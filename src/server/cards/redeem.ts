import { createHash } from 'node:crypto'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import {
  type Allocation,
  checkSelection,
  type Selection,
  splitCredit,
  sumSelection,
} from '#domain/redemption/split.ts'
import type { Clock } from '#server/app.ts'
import { allocationsOf } from '#server/cards/allocations.ts'
import { consume } from '#server/cards/consume.ts'
import { findByKey } from '#server/cards/find.ts'
import type { CardKeys } from '#server/cards/keys.ts'
import type { Database, Reader } from '#server/db/database.ts'

export interface RedeemTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly listedNgoIds: () => readonly string[]
}

/**
 * Gives a card's credit to the chosen organisations, once (decisions §7). The same selection sent again is
 * answered with the same allocations, even when the list of organisations has changed since.
 * @param key the private key; the public one answers as if there were no such card
 * @throws Problem card-not-found, card-consumed, invalid-fields, ngo-not-listed
 */
export async function redeemCard(
  tools: RedeemTools,
  key: string,
  selection: readonly Selection[],
): Promise<readonly Allocation[]> {
  const { db, keys, clock, listedNgoIds } = tools
  const chosen = sumSelection(selection)
  const requestDigest = digestOf(chosen)
  const { card, keyKind } = await db.read(reader => findByKey(reader, keys, key))
  if (keyKind !== 'private') throw new Problem('card-not-found')
  if (card.status === 'consumed') return db.read(reader => sameAnswer(reader, card.id, requestDigest))

  const credit = money(card.credit, card.currency)
  checkSelection(chosen, credit, listedNgoIds())
  const allocations = splitCredit(credit, chosen)
  const isOurs = await db.transaction(trx =>
    consume(trx, { cardId: card.id, credit, allocations, cause: 'recipient', requestDigest, at: clock() }),
  )
  if (isOurs) return allocations
  const { card: now } = await db.read(reader => findByKey(reader, keys, key))
  // A lost dispute has taken a part of its credit in this moment: what is left of it can be given.
  if (now.status === 'active') return redeemCard(tools, key, selection)
  return db.read(reader => sameAnswer(reader, card.id, requestDigest))
}

/** What a card that is not active any more answers: the first answer again to the same request, or why not. */
async function sameAnswer(db: Reader, cardId: string, requestDigest: string): Promise<readonly Allocation[]> {
  const redemption = await db
    .selectFrom('redemptions')
    .select('request_digest')
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  // Not active and not used: frozen or revoked a moment ago.
  if (redemption === undefined) throw new Problem('card-not-found')
  if (redemption.request_digest !== requestDigest) throw new Problem('card-consumed')
  return allocationsOf(db, cardId)
}

/** The same for the same points to the same organisations, in whatever order they were sent. */
function digestOf(chosen: readonly Selection[]): string {
  const canonical = chosen.map(({ ngoId, points }) => JSON.stringify([ngoId, points])).sort()
  return createHash('sha256').update(canonical.join('\n')).digest('hex')
}
