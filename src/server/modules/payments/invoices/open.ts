import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { partOfCard } from '#domain/card/batch.ts'
import { invoiceDueAt, invoiceStanding, type ListedInvoice } from '#domain/invoice/invoice.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { saleNumberOf } from '#server/modules/ledger/receipts.ts'
import type { PaymentsDependencies } from '#server/modules/payments/dependencies.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { purchaseOfKey } from '#server/modules/payments/withdrawals/find.ts'
import { refundsDueOf } from '#server/modules/payments/withdrawals/may-refund.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Invoices, OpenedInvoice } from './interface.ts'
import { type Invoice, invoiceOf, isInvoiceOf, numberOf } from './stored.ts'

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
  const isWithdrawn = (await withdrawnOf(db, [order.id])).has(order.id)
  return {
    orderId: order.id,
    theme: await themeOf(db, order.theme_id, order.created_at),
    number: numberOf(invoice),
    standing: invoiceStanding(invoice.state, order.status, { isWithdrawn }),
    isWithdrawn,
    receipt: await saleNumberOf(db, order.id),
    cards: order.card_count,
    credit: partOfCard(price, order.card_count),
    ngo: price,
    support: net,
    tax,
    total,
    madeAt: invoice.created_at,
    dueAt: invoiceDueAt(invoice.created_at),
    paidOn: invoice.paid_on,
    to: toOf(invoice),
    maskedAddress: invoice.email === null ? null : maskAddress(invoice.email),
  }
}

const toOf = ({ name, document, address }: Invoice): OpenedInvoice['to'] =>
  name === '' ? null : { name, document, address }

/** How many of those that wait for nothing the list goes back. */
const MOST_LISTED = 100
/**
 * How many of those that wait are listed, the first to lapse first, and as many of the newest: strangers who ask for hundreds push
 * out neither. Whatever is in no list is found by its number (desk/find.ts).
 */
const MOST_WAITING = 250

/** The invoices: those of which money has to go back, those that can be paid, and the newest of the others. */
export async function listInvoices(
  db: Reader,
  keys: PaymentsDependencies['keys'],
): Promise<readonly ListedInvoice[]> {
  const due = await ordersToPayBack(db)
  const rows = [
    ...(due.length === 0 ? [] : await some(db, eb => eb('invoices.order_id', 'in', due))),
    ...(await some(db, eb => eb('orders.status', '=', 'open'), { most: MOST_WAITING, order: 'asc' })),
    ...(await some(db, eb => eb('orders.status', '=', 'open'), { most: MOST_WAITING, order: 'desc' })),
    ...(await some(db, eb => eb('orders.status', '<>', 'open'))),
  ]
  const withdrawn = await withdrawnOf(
    db,
    rows.map(({ order_id: id }) => id),
  )
  const once = new Map(rows.map(row => [row.order_id, row]))
  const listed: ListedInvoice[] = []
  for (const row of once.values()) {
    const order = due.includes(row.order_id) ? await orderById(db, row.order_id) : undefined
    const toPayBack = order ? await refundsDueOf(db, keys, order) : []
    listed.push({
      orderId: row.order_id,
      number: numberOf(row),
      name: row.name,
      maskedAddress: row.email === null ? null : maskAddress(row.email),
      standing: invoiceStanding(row.state, row.status, { isWithdrawn: withdrawn.has(row.order_id) }),
      amount: money(row.amount, row.currency),
      cards: row.card_count,
      madeAt: row.created_at,
      dueAt: invoiceDueAt(row.created_at),
      paidOn: row.paid_on,
      due: toPayBack
        .filter(({ isOurs }) => isOurs)
        .map(({ withdrawal: { number, amount } }) => ({
          withdrawal: number,
          amount: money(amount, row.currency),
        })),
    })
  }
  return listed
}

type Which = (
  eb: ExpressionBuilder<Pick<Schema, 'invoices' | 'orders'>, 'invoices' | 'orders'>,
) => Expression<SqlBool>

/** The newest of these, or the oldest. */
const some = (
  db: Reader,
  which: Which,
  { most, order }: { readonly most: number; readonly order: 'asc' | 'desc' } = {
    most: MOST_LISTED,
    order: 'desc',
  },
) =>
  db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .selectAll('invoices')
    .select(['orders.status', 'orders.card_count'])
    .where(which as never)
    .orderBy('invoices.created_at', order)
    .limit(most)
    .execute()

/** Those of some orders whose buyers have withdrawn from all of them. */
async function withdrawnOf(db: Reader, orderIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (orderIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('withdrawals')
    .select('order_id')
    .where('order_id', 'in', orderIds)
    .where('cards', 'is', null)
    .where('state', '<>', 'closed')
    .execute()
  return new Set(rows.map(({ order_id: id }) => id))
}

/** The orders paid by invoice whose withdrawals wait for their money. */
async function ordersToPayBack(db: Reader): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .innerJoin('invoices', 'invoices.order_id', 'withdrawals.order_id')
    .select('withdrawals.order_id')
    .distinct()
    .where('withdrawals.state', '=', 'refunding')
    .where('invoices.state', '=', 'paid')
    .execute()
  return rows.map(({ order_id: id }) => id)
}
