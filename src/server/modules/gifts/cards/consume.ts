import { CARD_MOVES, type CardEvent } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { KeptReceipt } from '#server/modules/gifts/cards/receipt.ts'
import { refuseUnreconciled } from '#server/modules/gifts/cards/restored.ts'
import { changeCard } from '#server/modules/gifts/stored-cards.ts'
import { recordRedemption } from '#server/modules/ledger/record.ts'
import { type SealedCard, type Sealer, sealOfRedemption } from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { RedemptionCause } from '#server/platform/db/schema.ts'

export interface Consumption {
  /** The card as it was read. */
  readonly card: SealedCard
  /** Sum to the credit. */
  readonly allocations: readonly Allocation[]
  readonly cause: RedemptionCause
  /** The digest that tells this request from another one for the same card. */
  readonly requestDigest: string
  /** The receipt by which the recipient sees it again. An auto-donation has none. */
  readonly receipt?: KeptReceipt & { readonly attemptDigest: string | undefined }
  /** Epoch ms UTC. */
  readonly at: number
}

/** The event that each cause of a use is for the card. */
const EVENTS = {
  recipient: 'redeemed',
  'auto-donation': 'auto-donated',
} as const satisfies Record<RedemptionCause, CardEvent>

/**
 * Uses a card up: the only place where a credit becomes allocations. The card's table of moves says whether one in this
 * state can be given, and the update whether it is still as it was read, which decides who gets it; everything else
 * follows in the same transaction.
 * @returns false, with nothing written, when the card is not as it was read any more: not active,
 *   with another credit, with other links
 * @throws Problem temporarily-unavailable while a backup that was brought back is not reconciled
 */
export async function consume(trx: Writer, keys: Sealer, use: Consumption): Promise<boolean> {
  const { card, allocations, receipt, at } = use
  const cardId = card.id
  const status = CARD_MOVES[card.status][EVENTS[use.cause]]
  if (status === 'refused') return false
  await refuseUnreconciled(trx, cardId)
  const isOurs = await changeCard(trx, keys, 'donation', card, { status })
  if (!isOurs) return false
  const redemption = {
    card_id: cardId,
    cause: use.cause,
    request_digest: use.requestDigest,
    receipt_digest: receipt?.digest ?? null,
    created_at: at,
  }
  const rows = allocations.map(({ ngoId, points, amount }, position) => ({
    card_id: cardId,
    ngo_id: ngoId,
    position,
    points,
    amount: amount.amount,
    currency: amount.currency,
  }))
  await trx
    .insertInto('redemptions')
    .values({
      ...redemption,
      attempt_digest: receipt?.attemptDigest ?? null,
      receipt_nonce: receipt?.nonce ?? null,
      seal: sealOfRedemption(keys, redemption, rows),
    })
    .execute()
  await trx.insertInto('allocations').values(rows).execute()
  const credit = money(card.credit, card.currency)
  await recordRedemption(trx, { cardId, credit, allocations, cause: use.cause, at })
  return true
}
