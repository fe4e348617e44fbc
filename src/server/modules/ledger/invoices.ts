import { type SqlBool, sql } from 'kysely'
import { type Money, subtractMoney, zero } from '#domain/money/money.ts'
import { post } from '#server/modules/ledger/post.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** Sets of this cause say that money of a sale is at the bank and not at the payment provider, or left from there. */
export const INVOICE_CAUSE = 'invoice'

/** Orders of which the provider knows nothing: they have an invoice, and were never opened there. As SQL, of a row of `orders`. */
export const IS_INVOICED = sql<SqlBool>`(orders.checkout_session_digest is null
  and exists (select 1 from invoices where invoices.order_id = orders.id))`

/** What a payment by invoice is called in the books. */
export const setOfInvoice = (orderId: string): string => `${INVOICE_CAUSE}:${orderId}`

/** What money of it that went back is called. */
export const setOfBankRefund = (refundId: string): string => `${INVOICE_CAUSE}-refund:${refundId}`

interface Moved {
  readonly orderId: string
  readonly amount: Money
  /** Epoch ms UTC. */
  readonly at: number
}

/**
 * Books what a buyer transferred. The sale is booked as every other, from `payments`; this says that the money is not at
 * the provider.
 */
export async function recordInvoicePaid(trx: Writer, { orderId, amount, at }: Moved): Promise<void> {
  const entries = [['payments', amount] as const, ['bank', negative(amount)] as const]
  const set = { id: setOfInvoice(orderId), cause: INVOICE_CAUSE, cardId: null, orderId, at, entries }
  await post(trx, set)
}

/** Books what was transferred back. What it was taken from is booked as every other refund. */
export async function recordBankRefund(
  trx: Writer,
  { refundId, orderId, amount, at }: Moved & { readonly refundId: string },
): Promise<void> {
  const entries = [['payments', negative(amount)] as const, ['bank', amount] as const]
  const set = { id: setOfBankRefund(refundId), cause: INVOICE_CAUSE, cardId: null, orderId, at, entries }
  await post(trx, set)
}

const negative = (amount: Money): Money => subtractMoney(zero(amount.currency), amount)
