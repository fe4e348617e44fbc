import { dayInMadrid } from '#domain/days.ts'
import {
  type InvoiceAct,
  type InvoiceRefusal,
  InvoiceRefused,
  paymentRefusal,
} from '#domain/invoice/invoice.ts'
import { isMailAddress } from '#domain/mail/address.ts'
import { money } from '#domain/money/money.ts'
import { isSold } from '#domain/payment/order-states.ts'
import { isUnfinished } from '#domain/withdrawal/withdrawal.ts'
import { cardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { recordInvoicePaid } from '#server/modules/ledger/invoices.ts'
import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'
import { moveOrder } from '#server/modules/payments/move-orders.ts'
import { lockOrder, type Order, orderById } from '#server/modules/payments/orders.ts'
import { issueCards } from '#server/modules/payments/settle.ts'
import { queueAcknowledgement } from '#server/modules/payments/withdrawals/follow.ts'
import { mayRefund, withdrawnOf } from '#server/modules/payments/withdrawals/may-refund.ts'
import { isSealed, withdrawalsOf } from '#server/modules/payments/withdrawals/stored.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { giveBackInvoiced } from './refunds.ts'
import { changeInvoice, type Invoice, invoiceOf, isInvoiceOf, readdressInvoice } from './stored.ts'

/** What the acts work with, at both doors. */
export type InvoiceParts = Pick<PaymentsDependencies, 'keys' | 'clock' | 'log' | 'listedNgoIds'>

const refuse = (rule: InvoiceRefusal): never => {
  throw new InvoiceRefused(rule)
}

/**
 * Carries out what a treasurer says of an invoice, in the transaction of its note. Once it is paid its cards are made by
 * the same door as those of every other payment.
 * @returns what has to be said of it once the transaction stands
 * @throws InvoiceRefused: nothing is written
 */
export async function actOnInvoice(trx: Writer, deps: InvoiceParts, asked: InvoiceAct): Promise<() => void> {
  const found = await orderById(trx, asked.order)
  if (!found || !(await invoiceOf(trx, found.id))) return refuse('no-invoice')
  const order = await lockOrder(trx, found.id)
  const invoice = await invoiceOf(trx, order.id)
  if (!invoice) return refuse('no-invoice')
  if (!isInvoiceOf(deps.keys, invoice, order)) return refuse('not-ours')
  switch (asked.act) {
    case 'paid':
      return takePayment(trx, deps, { order, invoice }, asked)
    case 'cancel':
      return cancel(trx, deps, { order, invoice })
    case 'address':
      return readdress(trx, deps, { order, invoice }, asked.email)
    case 'refunded':
      return refunded(trx, deps, order, asked.withdrawal)
  }
}

interface Invoiced {
  readonly order: Order
  readonly invoice: Invoice
}

async function takePayment(
  trx: Writer,
  deps: InvoiceParts,
  { order, invoice }: Invoiced,
  arrived: Extract<InvoiceAct, { act: 'paid' }>,
): Promise<() => void> {
  const now = deps.clock()
  const refusal = paymentRefusal(invoice, arrived, {
    from: dayInMadrid(invoice.created_at),
    today: dayInMadrid(now),
  })
  if (refusal !== undefined) return refuse(refusal)
  if (invoice.email === null) return refuse('no-address')
  await changeInvoice(trx, deps.keys, invoice, { state: 'paid', paid_on: arrived.paidOn }, now)
  // Whoever got a letter before the mailbox was put right has no key of the cards either.
  const keyVersion = deps.keys.sameTurn(invoice.key_version)
  const paid = { order, sessionId: null, email: invoice.email, charge: undefined, now, keyVersion }
  const { isNew } = await issueCards(trx, deps, paid)
  if (!isNew) return refuse('already-paid')
  await recordInvoicePaid(trx, {
    orderId: order.id,
    amount: money(invoice.amount, invoice.currency),
    at: now,
  })
  return () =>
    deps.log.info('invoice-paid', { order: order.id, amount: invoice.amount, currency: invoice.currency })
}

async function cancel(trx: Writer, deps: InvoiceParts, { order, invoice }: Invoiced): Promise<() => void> {
  if (invoice.state === 'paid' || isSold(order.status)) return refuse('already-paid')
  if (invoice.state === 'cancelled') return refuse('invoice-cancelled')
  await changeInvoice(trx, deps.keys, invoice, { state: 'cancelled', paid_on: null }, deps.clock())
  await moveOrder(trx, 'expired', order.id)
  return () => deps.log.info('invoice-cancelled', { order: order.id })
}

/** One that was paid has its cards, whose own address `ops address` corrects; one that lapsed can still be paid. */
async function readdress(
  trx: Writer,
  deps: InvoiceParts,
  { order, invoice }: Invoiced,
  email: string,
): Promise<() => void> {
  if (!isMailAddress(email)) return refuse('not-an-address')
  if (invoice.state === 'paid') return refuse('already-paid')
  if (invoice.state === 'cancelled') return refuse('invoice-cancelled')
  if (invoice.email === null) return refuse('no-address')
  await readdressInvoice(trx, deps.keys, { order, invoice, email, now: deps.clock() })
  return () => deps.log.info('invoice-readdressed', { order: order.id })
}

async function refunded(trx: Writer, deps: InvoiceParts, order: Order, number: number): Promise<() => void> {
  const withdrawals = await withdrawalsOf(trx, order.id)
  const withdrawal = withdrawals.find(each => each.number === number)
  if (!withdrawal || !isUnfinished(withdrawal.state) || withdrawal.state !== 'refunding')
    return refuse('nothing-due')
  const withdrawn = await withdrawnOf(trx, order, withdrawal)
  if (!isSealed(deps.keys, withdrawal) || !(await mayRefund(trx, deps.keys, withdrawn, withdrawal)))
    return refuse('not-ours')
  const { amount, cards, attempt } = withdrawal
  const say = await giveBackInvoiced(trx, deps, order, { amount, cards, withdrawal: { number, attempt } })
  const [first] = await cardsOfOrder(trx, order.kind, order.id)
  const back = { ...withdrawal, state: 'refunded' } as const
  // Nobody but the treasurer knows when it went: no bank tells its buyer in our name.
  if (first) await queueAcknowledgement(trx, back, { cardId: first.id, now: deps.clock() })
  return say
}
