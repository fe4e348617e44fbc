import { partOfCard } from '#domain/card/batch.ts'
import { INVOICE_MS } from '#domain/invoice/invoice.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { invoiceOf, isInvoiceOf, numberOf } from '#server/modules/payments/invoices/stored.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { withdrawalKeyOf } from '#server/modules/payments/withdrawals/find.ts'
import { withdrawalsOf } from '#server/modules/payments/withdrawals/stored.ts'
import type { Deliver } from '../deliver.ts'
import { invoiceMail } from '../invoices.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'

/** Sends the letter that leads to an invoice, as long as it can be paid. */
export function invoiceHandlers(parts: MailParts, deliver: Deliver): MailHandlers<'invoice'> {
  const { db, keys } = parts
  return {
    async invoice(job) {
      const { orderId } = job.payload
      const found = await db.read(async reader => {
        const order = await orderById(reader, orderId)
        const invoice = order && (await invoiceOf(reader, orderId))
        if (!order || !invoice) return undefined
        const theme = await themeOf(reader, order.theme_id, order.created_at)
        return { order, invoice, theme, withdrawn: await withdrawalsOf(reader, orderId) }
      })
      if (!found) return
      const { order, invoice, theme, withdrawn } = found
      const isOpen = invoice.state === 'open' && order.status === 'open'
      if (!isOpen || withdrawn.length > 0 || invoice.email === null || !isInvoiceOf(keys, invoice, order))
        return
      const { price, total } = amountsOf(order)
      // No name: whoever asked for the invoice may have typed anybody's address, and anything as the name.
      const to = { language: order.language, theme, name: null }
      const mail = invoiceMail(
        to,
        {
          orderId,
          key: withdrawalKeyOf({ keys }, { order, cards: [] }),
          number: numberOf(invoice),
          cards: order.card_count,
          credit: partOfCard(price, order.card_count),
          total,
          dueAt: invoice.created_at + INVOICE_MS,
        },
        siteIn(order.language, parts),
      )
      await deliver(mail, { job, to: invoice.email })
    },
  }
}
