import { lastDayBefore } from '#domain/dates.ts'
import type { MailData } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { invoicePath } from '#paths'
import { type Addressee, letter, type MailSite } from './letter.ts'

/** An invoice that waits for a transfer. */
export interface InvoiceToPay {
  readonly orderId: string
  /** Opens its page: the key of withdrawals. */
  readonly key: string
  readonly number: string
  readonly cards: number
  readonly credit: Money
  readonly total: Money
  /** From then on it can be paid no more, epoch ms UTC. */
  readonly dueAt: number
}

/** Leads to the invoice. Nobody has proven yet that the address is the buyer's: it says little, and nothing of the cards. */
export function invoiceMail(to: Addressee, invoice: InvoiceToPay, site: MailSite): MailData {
  const { language } = to
  const t = getT(language)
  const { orderId, key, number, cards, credit, total, dueAt } = invoice
  return letter(to, site, {
    subject: t('mail-invoice-subject', { number }),
    preheader: t('mail-invoice-preheader'),
    opening: t('mail-invoice-opening', {
      cards,
      amount: formatMoney(credit, language, 'when-needed'),
      total: formatMoney(total, language, 'always'),
      date: lastDayBefore(dueAt, language),
    }),
    sections: [
      {
        title: t('invoice-title'),
        note: t('mail-invoice-note', { number }),
        buttons: [
          { label: t('mail-invoice-go'), url: `${site.url}${invoicePath(orderId, key)}?lang=${language}` },
        ],
      },
      { title: t('mail-withdraw-links-why-title'), note: t('mail-invoice-why') },
    ],
  })
}
