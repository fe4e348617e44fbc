import { answerToRepeat } from '#domain/card/receipt.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { checkSelection, type Selection, splitCredit, sumSelection } from '#domain/redemption/split.ts'
import { queueUsedLetter } from '#server/modules/gifts/answers/letters.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import { consume } from '#server/modules/gifts/cards/consume.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { newReceipt } from '#server/modules/gifts/cards/receipt.ts'
import { requestDigestOf } from '#server/modules/gifts/cards/request-digest.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import type { Redeemed } from '#server/modules/gifts/interface.ts'
import { isOfMany } from '#server/modules/gifts/of-many.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

export interface RedeemTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  readonly listedNgoIds: () => readonly string[]
  /** Resolves once what was written would outlast the machine, where the site sees to that. */
  readonly outlasting?: (() => Promise<void>) | undefined
}

/**
 * Gives a card's credit to the chosen organisations, once. The same selection sent again is answered with the same
 * allocations, even when the list of organisations has changed since; any other selection is refused with
 * `card-consumed`.
 * @param key the private key; the public one answers as if there were no such card
 * @param attemptKey the browser's key of this press: only the same one is told the receipt key again
 * @throws Problem card-not-found, card-consumed, invalid-fields, ngo-not-listed
 */
export async function redeemCard(
  tools: RedeemTools,
  key: string,
  selection: readonly Selection[],
  attemptKey?: string,
): Promise<Redeemed> {
  const { db, keys, clock, listedNgoIds } = tools
  const chosen = sumSelection(selection)
  const requestDigest = requestDigestOf(chosen)
  const attemptDigest = attemptKey === undefined ? undefined : keys.digest(attemptKey)
  const { card, keyKind } = await db.read(reader => findByKey(reader, keys, 'donation', key))
  if (keyKind !== 'private') throw new Problem('card-not-found')
  const again = async () => {
    const asked = { requestDigest, attemptDigest }
    const answer = await db.confirmed(reader => answerAgain(reader, keys, card.id, asked, clock()))
    // Whoever used it first may wait for that still.
    await tools.outlasting?.()
    return answer
  }
  if (card.status === 'consumed') return again()
  if (card.status === 'left') throw new Problem('card-consumed')

  const credit = money(card.credit, card.currency)
  checkSelection(chosen, credit, listedNgoIds())
  const allocations = splitCredit(credit, chosen)
  const receipt = newReceipt(keys, card.id)
  const isOurs = await db.transaction(async trx => {
    const at = clock()
    const used = await consume(trx, keys, {
      card,
      allocations,
      cause: 'recipient',
      requestDigest,
      receipt: { ...receipt.kept, attemptDigest },
      at,
    })
    // Who bought many learns of no card by itself: they know to whom each was given.
    if (used && card.email !== null && !(await isOfMany(trx, card))) await queueUsedLetter(trx, card.id, at)
    return used
  })
  if (isOurs) {
    // Nothing else tells of a redemption: its recipient hears of it once it cannot be lost any more.
    await tools.outlasting?.()
    return { allocations, receiptKey: receipt.key }
  }
  const { card: now } = await db.read(reader => findByKey(reader, keys, 'donation', key))
  // A lost dispute has taken a part of its credit in this moment, say: what is left of it can be given.
  if (now.status !== 'consumed') return redeemCard(tools, key, selection, attemptKey)
  return again()
}

/** The answer of a card that is not active any more: success again for the same request, else the reason. */
async function answerAgain(
  db: Reader,
  keys: CardKeys,
  cardId: string,
  asked: { readonly requestDigest: string; readonly attemptDigest: string | undefined },
  now: number,
): Promise<Redeemed> {
  const use = await db
    .selectFrom('redemptions')
    .select(['request_digest', 'attempt_digest', 'receipt_digest', 'receipt_nonce', 'created_at'])
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  // The card is neither active nor used: it was frozen or revoked a moment ago.
  if (use === undefined) throw new Problem('card-not-found')
  const kept = {
    requestDigest: use.request_digest,
    attemptDigest: use.attempt_digest,
    at: use.created_at,
  }
  const answer = answerToRepeat(kept, asked, now)
  if (answer === 'refused') throw new Problem('card-consumed')
  const allocations = await allocationsOf(db, cardId)
  return answer === 'receipt' && use.receipt_nonce !== null
    ? { allocations, receiptKey: keys.receiptKey(cardId, use.receipt_nonce, use.receipt_digest ?? undefined) }
    : { allocations }
}
