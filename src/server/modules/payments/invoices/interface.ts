import type { InvoiceStanding, InvoiceTo } from '#domain/invoice/invoice.ts'
import type { Money } from '#domain/money/money.ts'
import type { Theme } from '#domain/themes.ts'

/** An invoice as its page shows it. Times are epoch ms UTC. */
export interface OpenedInvoice {
  readonly orderId: string
  readonly theme: Theme
  /** As it is printed, and as its buyer writes it with the transfer. */
  readonly number: string
  readonly standing: InvoiceStanding
  readonly cards: number
  /** Of each card. */
  readonly credit: Money
  /** Of all of them. */
  readonly ngo: Money
  readonly support: Money
  readonly tax: Money
  readonly total: Money
  readonly madeAt: number
  /** From then on it can be paid no more. */
  readonly dueAt: number
  /** The number of the receipt, once it is paid. */
  readonly receipt: string | undefined
  /** Has its buyer withdrawn from all of it? */
  readonly isWithdrawn: boolean
  /** `YYYY-MM-DD`; null until it is paid. */
  readonly paidOn: string | null
  /** null once whom it names was forgotten. */
  readonly to: Omit<InvoiceTo, 'email'> | null
  /** Where the cards are mailed to, so that its owner knows it again; null once it was forgotten. */
  readonly maskedAddress: string | null
}

/** Invoices for orders of many cards (product.md#many-cards). */
export interface Invoices {
  /** The key is the one of withdrawals. Problem payment-not-found for every wrong key. */
  open(orderId: string, key: string): Promise<OpenedInvoice>
}
