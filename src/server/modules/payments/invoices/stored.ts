import type { Insertable, Selectable } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import { type InvoiceTo, invoiceNumber, yearOfInvoice } from '#domain/invoice/invoice.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import {
  areDetailsSealed,
  BROKEN,
  type Sealer,
  sealedAnew,
  sealOfBankRefund,
  sealOfInvoice,
  sealOfInvoiceDetails,
} from '#server/modules/ledger/seals.ts'
import type { Order } from '#server/modules/payments/orders.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { BankRefundsTable, InvoicesTable } from '#server/platform/db/schema.ts'

export type Invoice = Selectable<InvoicesTable>

/** The invoice of an order; undefined where it is paid at the provider, whatever another hand has written. */
export function invoiceOf(db: Reader, orderId: string): Promise<Invoice | undefined> {
  return db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'invoices.order_id')
    .selectAll('invoices')
    .where('invoices.order_id', '=', orderId)
    .where('orders.checkout_session_digest', 'is', null)
    .executeTakeFirst()
}

/** What stands on an invoice as its number. */
export const numberOf = ({
  order_id: orderId,
  ...row
}: Pick<Invoice, 'order_id' | 'year' | 'number'>): string => invoiceNumber({ ...row, orderId })

/** Opens the page of an invoice, and withdraws from its order, before there are cards. */
export const invoiceKeyOf = (
  keys: Pick<CardKeys, 'withdrawalKey'>,
  invoice: Pick<Invoice, 'order_id' | 'key_version'>,
): string => keys.withdrawalKey(invoice.order_id, invoice.key_version)

/** Makes the invoice of an order that was just written, with the next number of its year. Its mail is queued with it. */
export async function addInvoice(
  trx: Writer,
  keys: Sealer & Pick<CardKeys, 'pseudonym' | 'firstVersion'>,
  { order, to, now }: { readonly order: Order; readonly to: InvoiceTo; readonly now: number },
): Promise<void> {
  const year = yearOfInvoice(now)
  const { last: number } = await trx
    .insertInto('invoice_years')
    .values({ year, last: 1 })
    .onConflict(conflict =>
      conflict.column('year').doUpdateSet(eb => ({ last: eb('invoice_years.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  const sealed = {
    order_id: order.id,
    year,
    number,
    state: 'open',
    currency: order.currency,
    amount: order.total_amount,
    paid_on: null,
    created_at: now,
    details_seal: sealOfInvoiceDetails(keys, order, to),
    key_version: keys.firstVersion,
  } as const
  await trx
    .insertInto('invoices')
    .values({ ...sealed, ...to, changed_at: now, seal: sealOfInvoice(keys, sealed) })
    .execute()
  await mailInvoice(trx, keys, { orderId: order.id, email: to.email, now })
}

/** The kind of the mail that leads to an invoice. */
export const INVOICE_MAIL = 'invoice'

/**
 * Nobody has proven that the address is theirs: so many mails of a day go to one, whoever asks. The law has a withdrawal
 * acknowledged, so that there is more room for those. A treasurer's correction ends the link of before, so that its
 * letter goes in any case.
 */
const MAILS_PER_DAY = { made: 3, corrected: Number.POSITIVE_INFINITY, withdrawn: 20 } as const

/**
 * Queues the letter of an invoice, which says how it stands: what to pay, or that its buyer has withdrawn.
 * @param about each counts by itself
 */
export async function mailInvoice(
  trx: Writer,
  keys: Pick<CardKeys, 'pseudonym'>,
  { orderId, email, now, about = 'made' }: InvoiceLetter,
): Promise<void> {
  const subject = keys.pseudonym(email.toLowerCase())
  const day = Math.floor(now / DAY_MS)
  const counted = about === 'made' ? INVOICE_MAIL : `${INVOICE_MAIL}-${about}`
  for (let n = 0; n < MAILS_PER_DAY[about]; n++) {
    const dedupeKey = `${counted}:${subject}:${day}:${n}`
    if (await queueMail(trx, { kind: INVOICE_MAIL, dedupeKey, payload: { orderId }, runAt: now, subject }))
      return
  }
}

interface InvoiceLetter {
  readonly orderId: string
  readonly email: string
  /** Epoch ms UTC. */
  readonly now: number
  readonly about?: keyof typeof MAILS_PER_DAY
}

/**
 * Is the invoice as the product made it, and is it of this order? Until an order is paid no other seal covers what it costs.
 */
export const isInvoiceOf = (keys: Sealer, invoice: Invoice, order: Order): boolean =>
  invoice.seal === sealOfInvoice(keys, invoice) &&
  invoice.order_id === order.id &&
  invoice.amount === order.total_amount &&
  invoice.currency === order.currency &&
  areDetailsSealed(keys, order, invoice)

/** Changes an invoice whose order is locked. One that another hand has changed keeps a broken seal. @param now epoch ms UTC */
export async function changeInvoice(
  trx: Writer,
  keys: Sealer,
  before: Invoice,
  set: Partial<Pick<Invoice, 'state' | 'paid_on' | 'email' | 'details_seal' | 'key_version'>>,
  now: number,
): Promise<void> {
  const seal = sealedAnew(keys, sealOfInvoice, before, { ...before, ...set }) ?? BROKEN
  await trx
    .updateTable('invoices')
    .set({ ...set, changed_at: now, seal })
    .where('order_id', '=', before.order_id)
    .execute()
}

interface Readdressed {
  readonly order: Order
  readonly invoice: Invoice
  readonly email: string
  /** Epoch ms UTC. */
  readonly now: number
}

/**
 * Corrects where an invoice and its cards go, under another key: whoever got the first letter has nothing of them. Its order is
 * locked, and its seals were looked at.
 */
export async function readdressInvoice(
  trx: Writer,
  keys: Sealer & Pick<CardKeys, 'pseudonym' | 'nextVersion'>,
  { order, invoice, email, now }: Readdressed,
): Promise<void> {
  const set = {
    email,
    details_seal: sealOfInvoiceDetails(keys, order, { ...invoice, email }),
    key_version: keys.nextVersion(invoice.key_version),
  }
  await changeInvoice(trx, keys, invoice, set, now)
  await mailInvoice(trx, keys, { orderId: order.id, email, now, about: 'corrected' })
}

/** What was transferred back of an order, the first one first. */
export function bankRefundsOf(db: Reader, orderId: string): Promise<readonly Selectable<BankRefundsTable>[]> {
  return db
    .selectFrom('bank_refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('made_at')
    .orderBy('id')
    .execute()
}

/** Notes that money was transferred back. */
export async function addBankRefund(
  trx: Writer,
  keys: Sealer,
  refund: Omit<Insertable<BankRefundsTable>, 'seal'>,
): Promise<void> {
  const row = { cards: null, withdrawal: null, attempt: null, ...refund }
  await trx
    .insertInto('bank_refunds')
    .values({ ...row, seal: sealOfBankRefund(keys, row) })
    .execute()
}
