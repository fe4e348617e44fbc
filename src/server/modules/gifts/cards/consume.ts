import { money } from '#domain/money/money.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { KeptReceipt } from '#server/modules/gifts/cards/receipt.ts'
import { recordRedemption } from '#server/modules/ledger/record.ts'
import {
  type SealedCard,
  type Sealer,
  sealedAnew,
  sealOfCard,
  sealOfRedemption,
} from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { RedemptionCause } from '#server/platform/db/schema.ts'

export interface Consumption {
  /** As it was read. */
  readonly card: SealedCard
  /** Sum to the credit. */
  readonly allocations: readonly Allocation[]
  readonly cause: RedemptionCause
  /** What tells this request from another one that wants the same card. */
  readonly requestDigest: string
  /** How its recipient will know it again; without one (the yearly gift) nobody does. */
  readonly receipt?: KeptReceipt & { readonly attemptDigest: string | undefined }
  /** Epoch ms UTC. */
  readonly at: number
}

/**
 * Uses a card up: the only place where a credit becomes allocations. The update that asks for an active card
 * decides who gets it; everything else follows in the same transaction.
 * @returns false, with nothing written, when the card is not as it was read any more: not active,
 *   with another credit, with other links
 */
export async function consume(trx: Writer, keys: Sealer, use: Consumption): Promise<boolean> {
  const { card, allocations, receipt, at } = use
  const cardId = card.id
  const taken = await trx
    .updateTable('cards')
    .set({ status: 'consumed', seal: sealedAnew(keys, sealOfCard, card, { ...card, status: 'consumed' }) })
    .where('id', '=', cardId)
    .where('status', '=', 'active')
    // A lost dispute over a part takes some of the credit: what was read before it must not be given.
    .where('credit', '=', card.credit)
    // Its links were replaced meanwhile: those of before give nothing any more.
    .where('key_version', '=', card.key_version)
    .returning('id')
    .executeTakeFirst()
  if (taken === undefined) return false
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
