import { partOfCard } from '#domain/card/batch.ts'
import { INVOICE_MS, invoiceNumber, invoiceStanding, type ListedInvoice } from '#domain/invoice/invoice.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { money } from '#domain/money/money.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { Problem } from '#domain/problems.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'
import { purchaseOfKey } from '#server/modules/payments/withdrawals/find.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Invoices, OpenedInvoice } from './interface.ts'
import { type Invoice, invoiceOf, isInvoiceOf } from './stored.ts'

type Parts = Pick<PaymentsDependencies, 'db' | 'keys'>

/** Makes the pages of invoices. */
export function createInvoices(parts: Parts): Invoices {
  const { db } = parts
  return { open: (orderId, key) => db.read(reader => opened(reader, parts, orderId, key)) }
}

/** @throws Problem payment-not-found for every wrong key, and for an invoice that somebody has changed */
async function opened(
  db: Reader,
  { keys }: Pick<Parts, 'keys'>,
  orderId: string,
  key: string,
): Promise<OpenedInvoice> {
  const { order } = await purchaseOfKey(db, { keys }, orderId, key)
  const invoice = await invoiceOf(db, order.id)
  if (!invoice || !isInvoiceOf(keys, invoice, order)) throw new Problem('payment-not-found')
  const { price, net, tax, total } = amountsOf(order)
  return {
    orderId: order.id,
    theme: await themeOf(db, order.theme_id, order.created_at),
    number: invoiceNumber(invoice),
    standing: invoiceStanding(invoice.state, order.status),
    cards: order.card_count,
    credit: partOfCard(price, order.card_count),
    ngo: price,
    support: net,
    tax,
    total,
    madeAt: invoice.created_at,
    dueAt: invoice.created_at + INVOICE_MS,
    paidOn: invoice.paid_on,
    to: toOf(invoice),
    maskedAddress: invoice.email === null ? null : maskAddress(invoice.email),
  }
}

const toOf = ({ name, document, address }: Invoice): OpenedInvoice['to'] =>
  name === '' ? null : { name, document, address }

/** How many of those that are paid or over the list goes back. */
const MOST_LISTED = 100

/** The newest invoices, those that wait for money first. */
export async function listInvoices(db: Reader): Promise<readonly ListedInvoice[]> {
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .selectAll('invoices')
    .select(['orders.status', 'orders.card_count'])
    .orderBy(eb => eb.case().when('invoices.state', '=', 'open').then(0).else(1).end())
    .orderBy('invoices.created_at', 'desc')
    .limit(MOST_LISTED)
    .execute()
  const due = await refundsDue(db)
  return rows.map(row => ({
    orderId: row.order_id,
    number: invoiceNumber(row),
    name: row.name,
    standing: invoiceStanding(row.state, row.status),
    amount: money(row.amount, row.currency),
    cards: row.card_count,
    madeAt: row.created_at,
    dueAt: row.created_at + INVOICE_MS,
    paidOn: row.paid_on,
    due: due
      .filter(({ order_id: id }) => id === row.order_id)
      .map(({ number, amount }) => ({ withdrawal: number, amount: money(amount, row.currency) })),
  }))
}

/** What withdrawals from paid invoices wait for. */
export function refundsDue(db: Reader) {
  return db
    .selectFrom('withdrawals')
    .innerJoin('invoices', 'invoices.order_id', 'withdrawals.order_id')
    .innerJoin('orders', 'orders.id', 'withdrawals.order_id')
    .select(['withdrawals.order_id', 'withdrawals.number', 'withdrawals.amount', 'withdrawals.changed_at'])
    .where('withdrawals.state', '=', 'refunding')
    .where('orders.status', 'in', orderStatesOf('sold'))
    .orderBy('withdrawals.changed_at')
    .execute()
}
