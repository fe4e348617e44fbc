import { isRefunded } from '#domain/withdrawal/withdrawal.ts'
import { holdCard } from '#server/modules/gifts/holds.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Order } from '#server/modules/payments/orders.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { changeWithdrawal, type Withdrawal, withdrawalOf } from './stored.ts'

/** The mail that says what was stated and when, and what goes back. */
export async function queueAcknowledgement(
  trx: Writer,
  { order_id: orderId, attempt, state }: Withdrawal,
  { cardId, now }: { readonly cardId: string; readonly now: number },
): Promise<void> {
  const kind = 'withdrawal'
  const dedupeKey = `${kind}:${orderId}:${attempt}:${state}`
  await queueMail(trx, { kind, dedupeKey, payload: { orderId }, runAt: now, subject: cardId })
}

/**
 * Gives a card that was just made of a payment on its way what its buyer has stated meanwhile: nobody can use it.
 * @returns whether there was a withdrawal, whose mail goes in the place of the one with the links
 */
export async function withdrawNewCard(
  trx: Writer,
  keys: Sealer,
  { order, now }: { readonly order: Order; readonly now: number },
): Promise<boolean> {
  const known = await withdrawalOf(trx, order.id)
  if (!known) return false
  // A withdrawal that was closed because nothing was paid counts again if the money arrives after all.
  const set = { state: 'refunding', answer: 'whole', amount: order.total_amount } as const
  const card = await lockCard(trx, order.kind, 'order_id', order.id)
  if (!card || !(await changeWithdrawal(trx, keys, known, set, now)))
    throw new Error('The withdrawal of a new card is not locked')
  await holdCard(trx, keys, order.kind, card as never, { reason: 'withdrawal', stands: true, at: now })
  await queueAcknowledgement(trx, { ...known, ...set }, { cardId: card.id, now })
  return true
}

/** Closes the withdrawal from an order that nobody will pay any more. */
export async function closeUnpaid(
  trx: Writer,
  keys: Sealer,
  withdrawal: Withdrawal,
  now: number,
): Promise<void> {
  if (!isRefunded(withdrawal.answer)) return
  await changeWithdrawal(trx, keys, withdrawal, { state: 'closed', answer: 'unpaid', amount: 0 }, now)
}
