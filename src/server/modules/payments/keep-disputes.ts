import type Stripe from 'stripe'
import { type DisputeState, disputeStateOf } from '#domain/payment/dispute-states.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** A dispute as the provider describes it. Amounts are minor units, times epoch ms UTC. */
export interface DisputeFacts {
  readonly id: string
  readonly state: DisputeState
  readonly amount: number
  readonly currency: string
  readonly openedAt: number
  /** Until when it can be answered; null where the provider names no day. */
  readonly answerBy: number | null
}

/** The facts of a dispute. */
export function disputeFacts({
  id,
  status,
  amount,
  currency,
  created,
  evidence_details: evidence,
}: Stripe.Dispute): DisputeFacts {
  return {
    id,
    state: disputeStateOf(status),
    amount,
    currency: currency.toUpperCase(),
    openedAt: created * 1000,
    answerBy: evidence.due_by === null ? null : evidence.due_by * 1000,
  }
}

/** Keeps how the disputes of an order stand now: for its timeline, and to ask for an answer in time. @param now epoch ms UTC */
export async function keepDisputes(
  trx: Writer,
  orderId: string,
  disputes: readonly DisputeFacts[],
  now: number,
): Promise<void> {
  for (const { id, openedAt, answerBy, ...rest } of disputes) {
    const facts = { ...rest, answer_by: answerBy, updated_at: now }
    await trx
      .insertInto('disputes')
      .values({ id, order_id: orderId, opened_at: openedAt, ...facts })
      .onConflict(conflict => conflict.column('id').doUpdateSet(facts))
      .execute()
  }
}
