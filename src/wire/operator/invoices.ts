import { z } from 'zod'
import { INVOICE_STANDINGS } from '#domain/invoice/invoice.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { defineContract } from '../contract.ts'
import { again, amount, carriedOut } from './parts.ts'

/** Invoices, those that wait for money first. Times are epoch milliseconds UTC, amounts minor units. */
export const readInvoices = defineContract({
  method: 'GET',
  path: '/api/operator/invoices',
  request: z.undefined(),
  response: z
    .array(
      z.object({
        orderId: z.string(),
        number: z.string(),
        name: z.string(),
        maskedAddress: z.string().nullable(),
        standing: z.enum(INVOICE_STANDINGS),
        amount: z.object({ amount, currency: z.enum(CURRENCIES) }),
        cards: z.number(),
        madeAt: z.number(),
        dueAt: z.number(),
        paidOn: z.string().nullable(),
        due: z
          .array(
            z.object({
              withdrawal: z.number(),
              amount: z.object({ amount, currency: z.enum(CURRENCIES) }),
            }),
          )
          .readonly(),
      }),
    )
    .readonly()
    .transform(invoices =>
      invoices.map(
        ({ orderId, maskedAddress, madeAt, dueAt, paidOn, amount: { amount, currency }, due, ...each }) => ({
          ...each,
          order: orderId,
          masked_address: maskedAddress,
          amount,
          currency,
          made_at: madeAt,
          due_at: dueAt,
          paid_on: paidOn,
          /** What has to be transferred back, for which withdrawal. */
          due: due.map(({ withdrawal, amount: { amount } }) => ({ withdrawal, amount })),
        }),
      ),
    ),
})

const invoiceOrder = { order: z.string().max(64), ...again }

/** What a treasurer says of an invoice. It needs an `Idempotency-Key`: the same press is carried out once. */
export const actOnInvoices = defineContract({
  method: 'POST',
  path: '/api/operator/invoice-act',
  request: z
    .discriminatedUnion('act', [
      z.object({ act: z.literal('paid'), amount, paid_on: z.string().max(10), ...invoiceOrder }),
      z.object({ act: z.literal('cancel'), ...invoiceOrder }),
      z.object({ act: z.literal('refunded'), withdrawal: z.number().int(), ...invoiceOrder }),
    ])
    .transform(({ ...asked }) =>
      asked.act === 'paid'
        ? {
            act: asked.act,
            order: asked.order,
            amount: asked.amount,
            paidOn: asked.paid_on,
            passkey: asked.passkey,
          }
        : asked,
    ),
  response: carriedOut,
})

/** What goes over the wire, for the Studio's tool. */
export type InvoicesAnswer = z.output<typeof readInvoices.response>
export type InvoiceActRequest = z.input<typeof actOnInvoices.request>
export type InvoiceActAnswer = z.output<typeof actOnInvoices.response>
