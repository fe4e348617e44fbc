import { isRefunded } from '#domain/withdrawal/withdrawal.ts'
import { holdCard } from '#server/modules/gifts/holds.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { lockCardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Order } from '#server/modules/payments/orders.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { changeWithdrawal, type Withdrawal, withdrawalsOf } from './stored.ts'

/** The mail that says what was stated and when, and what goes back. */
export async function queueAcknowledgement(
  trx: Writer,
  { order_id: orderId, number, attempt, state }: Withdrawal,
  { cardId, now }: { readonly cardId: string; readonly now: number },
): Promise<void> {
  const kind = 'withdrawal'
  const which = number === 1 ? {} : { number }
  const dedupeKey = [kind, orderId, ...Object.values(which), attempt, state].join(':')
  await queueMail(trx, { kind, dedupeKey, payload: { orderId, ...which }, runAt: now, subject: cardId })
}

/**
 * Gives the cards that were just made of a payment on its way what their buyer has stated meanwhile: nobody can use them.
 * @returns whether there was a withdrawal, whose mail goes in the place of the one with the links
 */
export async function withdrawNewCards(
  trx: Writer,
  keys: Sealer,
  { order, now }: { readonly order: Order; readonly now: number },
): Promise<boolean> {
  // Before there are cards it is from all of them, and the only one.
  const [known] = await withdrawalsOf(trx, order.id)
  if (!known) return false
  // A withdrawal that was closed because nothing was paid counts again if the money arrives after all.
  const set = { state: 'refunding', answer: 'whole', amount: order.total_amount } as const
  const cards = await lockCardsOfOrder(trx, order.kind, order.id)
  const [first] = cards
  if (!first || !(await changeWithdrawal(trx, keys, known, set, now)))
    throw new Error('The withdrawal of a new card is not locked')
  for (const card of cards)
    await holdCard(trx, keys, order.kind, card as never, { reason: 'withdrawal', stands: true, at: now })
  await queueAcknowledgement(trx, { ...known, ...set }, { cardId: first.id, now })
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
