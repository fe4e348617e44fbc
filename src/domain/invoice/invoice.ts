import { isDay, yearInMadrid } from '../days.ts'
import { endOfDayInMadrid } from '../madrid.ts'
import { isMailAddress } from '../mail/address.ts'
import type { Money } from '../money/money.ts'
import { lettersOf, writeNumber } from '../payment/document-number.ts'
import type { OrderState } from '../payment/order-states.ts'
import { cleanLine } from '../text/clean-line.ts'
import { isPrintable } from '../text/printable.ts'

/** Invoices for orders of many cards, which are paid by bank transfer (product.md#many-cards). */

/** For so long an invoice can be paid. The cards are made once the operator says that the money has arrived. */
export const INVOICE_DAYS = 30

/**
 * When an invoice can be paid no more: the end of its last day in Madrid. The day on which it was made is not counted.
 * @param madeAt epoch ms UTC
 * @returns the first instant after the last day, epoch ms UTC
 */
export const invoiceDueAt = (madeAt: number): number => endOfDayInMadrid(madeAt, INVOICE_DAYS)

/** Whom an invoice is made out to, and where it goes. */
export interface InvoiceTo {
  readonly name: string
  /** Of the tax office; '' where there is none. */
  readonly document: string
  readonly address: string
  readonly email: string
}

export const INVOICE_FIELDS = [
  'name',
  'document',
  'address',
  'email',
] as const satisfies readonly (keyof InvoiceTo)[]

export type InvoiceField = (typeof INVOICE_FIELDS)[number]

/** The longest text of each that is taken, in characters (code points). */
export const INVOICE_LENGTHS = {
  name: 120,
  document: 40,
  address: 200,
  email: 254,
} as const satisfies Record<InvoiceField, number>

/** Reads a form. @param field what was sent under a name @returns each field as one clean line; '' for a missing one */
export function writtenTo(field: (name: InvoiceField) => string | null | undefined): InvoiceTo {
  const read = (name: InvoiceField) => cleanLine(field(name) ?? '', INVOICE_LENGTHS[name])
  return { name: read('name'), document: read('document'), address: read('address'), email: read('email') }
}

/** The fields that have to be written otherwise before there is an invoice. */
export function invoiceFaults({ name, document, address, email }: InvoiceTo): readonly InvoiceField[] {
  const wrong = {
    name: name === '' || !isPrintable(name),
    document: !isPrintable(document),
    address: address === '' || !isPrintable(address),
    email: !isMailAddress(email),
  }
  return INVOICE_FIELDS.filter(field => wrong[field])
}

/** What is kept of an invoice. That it can be paid no more is told by its order. */
export const INVOICE_STATES = ['open', 'paid', 'cancelled'] as const

export type InvoiceState = (typeof INVOICE_STATES)[number]

/**
 * What an invoice is to whoever looks at it: `lapsed` once its days are over without a payment, `withdrawn` where its buyer
 * has withdrawn before they paid.
 */
export const INVOICE_STANDINGS = [...INVOICE_STATES, 'lapsed', 'withdrawn'] as const

export type InvoiceStanding = (typeof INVOICE_STANDINGS)[number]

/** How an invoice stands, by its own state, that of its order, and whether its buyer has withdrawn from all of it. */
export function invoiceStanding(
  state: InvoiceState,
  order: OrderState,
  { isWithdrawn }: { readonly isWithdrawn: boolean },
): InvoiceStanding {
  if (state !== 'open') return state
  if (order !== 'open') return 'lapsed'
  return isWithdrawn ? 'withdrawn' : 'open'
}

/** Does it serve as a document? One that nobody is to pay asks for no money on paper either. */
export const isInvoicePrinted = (standing: InvoiceStanding): boolean =>
  standing === 'open' || standing === 'paid'

/** Can a treasurer say that it is paid, or that nobody is to pay it? Money that arrives late is the buyer's all the same. */
export const isInvoiceAwaited = (standing: InvoiceStanding): boolean =>
  standing === 'open' || standing === 'lapsed' || standing === 'withdrawn'

/** The year in Madrid whose numbers an invoice that is made then counts. @param instant epoch ms UTC */
export const yearOfInvoice = yearInMadrid

interface Numbered {
  readonly year: number
  readonly number: number
}

/** The number of an invoice within its year: `P2026-000017`. */
export const numberInYear = ({ year, number }: Numbered): string =>
  writeNumber({ mark: 'P', year, number, letters: '' })

/** What stands on an invoice, and what its buyer writes with the transfer: `P2026-000017-7QK3`. */
export const invoiceNumber = ({ orderId, year, number }: Numbered & { readonly orderId: string }): string =>
  writeNumber({ mark: 'P', year, number, letters: lettersOf(orderId) })

/** What the treasurer says of an invoice. */
export type InvoiceAct =
  /** The money is at the bank. `amount`: what arrived, minor units; `paidOn`: the day at the bank, `YYYY-MM-DD`. */
  | { readonly act: 'paid'; readonly order: string; readonly amount: number; readonly paidOn: string }
  /** Nobody is to pay it any more. */
  | { readonly act: 'cancel'; readonly order: string }
  /** Its buyer has mistyped where it and its cards go. */
  | { readonly act: 'address'; readonly order: string; readonly email: string }
  /** What a withdrawal asks for was transferred back. */
  | { readonly act: 'refunded'; readonly order: string; readonly withdrawal: number }

/** Why such an act was refused. */
export type InvoiceRefusal =
  | 'no-invoice'
  /** Its row, or its order, is not as the product wrote it. */
  | 'not-ours'
  | 'already-paid'
  | 'invoice-cancelled'
  /** That is no address of a mailbox. */
  | 'not-an-address'
  /** Whom it was for is forgotten: nobody could be sent its cards. */
  | 'no-address'
  /** Another amount than the invoice is of. */
  | 'other-amount'
  /** No day, one before the invoice, or one that is yet to come. */
  | 'not-a-day'
  /** No such withdrawal waits for its money. */
  | 'nothing-due'

/** An act about an invoice that cannot be done. */
export class InvoiceRefused extends Error {
  readonly rule: InvoiceRefusal
  constructor(rule: InvoiceRefusal) {
    super(rule)
    this.rule = rule
  }
}

/** An invoice as the treasurer sees it. Times are epoch ms UTC. */
export interface ListedInvoice {
  readonly orderId: string
  readonly number: string
  readonly name: string
  /** Where its cards would go, masked: a mistyped one is seen. null once it was forgotten. */
  readonly maskedAddress: string | null
  readonly standing: InvoiceStanding
  readonly amount: Money
  readonly cards: number
  readonly madeAt: number
  readonly dueAt: number
  readonly paidOn: string | null
  /** What withdrawals from it wait for, which has to be transferred back. */
  readonly due: readonly { readonly withdrawal: number; readonly amount: Money }[]
}

/**
 * Can what arrived pay it? A lapsed one as well: the money is the buyer's.
 * @param days in Madrid, `YYYY-MM-DD`: `from`, on which the invoice was made, and `today`
 * @returns why not
 */
export function paymentRefusal(
  invoice: { readonly state: InvoiceState; readonly amount: number },
  arrived: { readonly amount: number; readonly paidOn: string },
  { from, today }: { readonly from: string; readonly today: string },
): InvoiceRefusal | undefined {
  if (invoice.state === 'paid') return 'already-paid'
  if (invoice.state === 'cancelled') return 'invoice-cancelled'
  if (arrived.amount !== invoice.amount) return 'other-amount'
  const isPossible = isDay(arrived.paidOn) && arrived.paidOn >= from && arrived.paidOn <= today
  return isPossible ? undefined : 'not-a-day'
}

/** What arrived for an invoice, and went back of it, as the books are compared with it. Minor units. */
export const atBank = (
  { state, amount }: { readonly state: InvoiceState; readonly amount: number },
  refunded: number,
): number => (state === 'paid' ? amount - refunded : 0)
