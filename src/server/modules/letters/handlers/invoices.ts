import { partOfCard } from '#domain/card/batch.ts'
import { invoiceDueAt } from '#domain/invoice/invoice.ts'
import { WITHDRAWAL_DAYS } from '#domain/withdrawal/withdrawal.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { invoiceKeyOf, invoiceOf, isInvoiceOf, numberOf } from '#server/modules/payments/invoices/stored.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { shown } from '#server/modules/payments/withdrawals/find.ts'
import { withdrawalsOf } from '#server/modules/payments/withdrawals/stored.ts'
import type { Deliver } from '../deliver.ts'
import { invoiceMail } from '../invoices.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { withdrawalMail } from '../withdrawals.ts'

/** Sends the letter that leads to an invoice, as long as it can be paid; where its buyer has withdrawn, what acknowledges that. */
export function invoiceHandlers(parts: MailParts, deliver: Deliver): MailHandlers<'invoice'> {
  const { db, keys, withdrawalDays: days = WITHDRAWAL_DAYS.usual } = parts
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
      const isWaiting = order.status === 'open' || withdrawn.length > 0
      if (invoice.state !== 'open' || !isWaiting) return
      if (invoice.email === null || !isInvoiceOf(keys, invoice, order)) return
      const { price, total } = amountsOf(order)
      const key = invoiceKeyOf(keys, invoice)
      // No name: whoever asked for the invoice may have typed anybody's address, and anything as the name.
      const to = { language: order.language, theme, name: null, order: { id: orderId, withdrawalKey: key } }
      const site = siteIn(order.language, parts)
      const [first] = withdrawn
      if (first) {
        const { confirmed, ...purchase } = shown({ order, cards: [] }, first, { answer: first.answer, days })
        if (!confirmed) return
        const said = { ...purchase, confirmed: { ...confirmed, name: '', email: invoice.email } }
        await deliver(withdrawalMail(to, said, site), { job, to: invoice.email })
        return
      }
      const mail = invoiceMail(
        to,
        {
          orderId,
          key,
          number: numberOf(invoice),
          cards: order.card_count,
          credit: partOfCard(price, order.card_count),
          total,
          dueAt: invoiceDueAt(invoice.created_at),
        },
        site,
      )
      await deliver(mail, { job, to: invoice.email })
    },
  }
}
