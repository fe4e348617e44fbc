import { isRefundUnderWay } from '#domain/card/holds.ts'
import { type CardStatus, isGiven } from '#domain/card/states.ts'
import { placesNamed } from '#domain/withdrawal/cards.ts'
import { isRefunded } from '#domain/withdrawal/withdrawal.ts'
import { refundsBegun, statusesToWithdraw } from '#server/modules/gifts/holds.ts'
import { cardsOfOrder, sealOfStored } from '#server/modules/gifts/stored-cards.ts'
import { invoiceOf, isInvoiceOf } from '#server/modules/payments/invoices/stored.ts'
import type { Order } from '#server/modules/payments/orders.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { WithdrawalParts } from './dependencies.ts'
import { amountBack, type Purchase } from './find.ts'
import { isSealed, type Withdrawal, withdrawalsOf } from './stored.ts'

/**
 * Is the row the product's own, and does it fit its cards? All of a payment goes back only for a card that nobody can
 * use any more, so that whoever can write to the database gets no gift and its price as well.
 */
export async function mayRefund(
  reader: Reader,
  keys: WithdrawalParts['keys'],
  { order, cards }: Purchase,
  withdrawal: Withdrawal,
): Promise<boolean> {
  if (!isSealed(keys, withdrawal)) return false
  const { answer } = withdrawal
  if (!isRefunded(answer)) return false
  const isOfMany = order.card_count > 1
  const most = await amountBack(reader, { order, cards }, answer)
  const statusOf = await statusesToWithdraw(reader, cards)
  if (isOfMany && withdrawal.amount > most) return false
  if (answer === 'support') return withdrawal.amount <= order.support_amount
  const areSealed = cards.every(
    card => card.seal === null || card.seal === sealOfStored(keys, order.kind, card as never),
  )
  const left = isOfMany ? cards.filter(card => !isOver(statusOf(card))) : cards
  // The operator's own hold freezes it as well.
  const isHeld = left.every(({ status }) => status === 'cancelling' || status === 'frozen')
  // Of many it may be that the support of those that were used is all that is left: the amount was looked at.
  return areSealed && isHeld && (isOfMany || left.length > 0)
}

/** The order of a withdrawal, with the cards that it is from. */
export async function withdrawnOf(reader: Reader, order: Order, { cards }: Withdrawal): Promise<Purchase> {
  const places = placesNamed(cards)
  const all = await cardsOfOrder(reader, order.kind, order.id)
  return { order, cards: places ? places.flatMap(position => all[position] ?? []) : all }
}

/**
 * Does an operator give back money of one of its cards right now, all of it or a part? What becomes of that is not known yet, and
 * the provider, which knows the order's payment alone, would give back the same card or the same support twice. Whoever begins a refund looks at
 * the withdrawals afterwards, so that of two at one moment at least one sees the other.
 * @param now when the provider was asked what it gave back, epoch ms UTC
 */
export async function mustWaitForRefund(reader: Reader, { cards }: Purchase, now: number): Promise<boolean> {
  const begun = await refundsBegun(
    reader,
    cards.map(({ id }) => id),
  )
  return begun.some(since => isRefundUnderWay(since, now))
}

/** Of an order of many the cards that were used stay given, and those that went back before are no more. */
const isOver = (status: CardStatus): boolean => isGiven(status) || status === 'revoked'

/** A withdrawal that waits for its money, and whether it may have it. */
export interface RefundDue {
  readonly withdrawal: Withdrawal
  /** Are withdrawal, order, cards and invoice as the product wrote them? */
  readonly isOurs: boolean
}

/** What withdrawals from an order that was paid by invoice wait for. */
export async function refundsDueOf(
  reader: Reader,
  keys: WithdrawalParts['keys'],
  order: Order,
): Promise<readonly RefundDue[]> {
  const invoice = await invoiceOf(reader, order.id)
  const isPaid = invoice?.state === 'paid' && isInvoiceOf(keys, invoice, order)
  const asked = (await withdrawalsOf(reader, order.id)).filter(({ state }) => state === 'refunding')
  const due: RefundDue[] = []
  for (const withdrawal of asked) {
    const isOurs =
      isPaid && (await mayRefund(reader, keys, await withdrawnOf(reader, order, withdrawal), withdrawal))
    due.push({ withdrawal, isOurs })
  }
  return due
}
