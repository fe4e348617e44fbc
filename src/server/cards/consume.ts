import type { Money } from '#domain/money/money.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { KeptReceipt } from '#server/cards/receipt.ts'
import type { Writer } from '#server/db/database.ts'
import type { RedemptionCause } from '#server/db/schema.ts'
import { recordRedemption } from '#server/ledger/record.ts'

export interface Consumption {
  readonly cardId: string
  readonly credit: Money
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
 * @returns false, with nothing written, when the card is not active any more, or its credit is another one by now
 */
export async function consume(trx: Writer, use: Consumption): Promise<boolean> {
  const { cardId, allocations, receipt, at } = use
  const taken = await trx
    .updateTable('cards')
    .set({ status: 'consumed' })
    .where('id', '=', cardId)
    .where('status', '=', 'active')
    // A lost dispute over a part takes some of the credit: what was read before it must not be given.
    .where('credit', '=', use.credit.amount)
    .returning('id')
    .executeTakeFirst()
  if (taken === undefined) return false
  await trx
    .insertInto('redemptions')
    .values({
      card_id: cardId,
      cause: use.cause,
      request_digest: use.requestDigest,
      attempt_digest: receipt?.attemptDigest ?? null,
      receipt_digest: receipt?.digest ?? null,
      receipt_nonce: receipt?.nonce ?? null,
      created_at: at,
    })
    .execute()
  await trx
    .insertInto('allocations')
    .values(
      allocations.map(({ ngoId, points, amount }, position) => ({
        card_id: cardId,
        ngo_id: ngoId,
        position,
        points,
        amount: amount.amount,
        currency: amount.currency,
      })),
    )
    .execute()
  await recordRedemption(trx, use)
  return true
}
