import type { Language } from '#domain/languages.ts'
import type { MailAmounts } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { taxShareOf } from '#domain/money/tax.ts'
import { getT } from '#i18n/index.ts'
import type { OrderAmounts } from '#server/modules/ledger/order-amounts.ts'

/** What was paid, and the number of its receipt: absent for an order from before receipts had numbers. */
export interface Paid extends OrderAmounts {
  readonly receiptNumber: string | undefined
}

/**
 * The rows of what a buyer paid, to the cent: the gift, the support with its tax if there was any, and the total.
 * @param label the name of the gift
 */
export function amountsPaid(
  label: string,
  { price, net, tax, total, receiptNumber: number }: Paid,
  language: Language,
): MailAmounts {
  const t = getT(language)
  const exactly = (amount: Money) => formatMoney(amount, language, 'always')
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(taxShareOf({ net, tax }))
  return {
    title: t('mail-amounts-title'),
    ...(number !== undefined && { receipt: t('mail-amounts-receipt', { number }) }),
    rows: [
      { label, amount: exactly(price) },
      ...(net.amount + tax.amount > 0
        ? [
            { label: t('mail-amounts-support'), amount: exactly(net) },
            { label: t('mail-amounts-tax', { share }), amount: exactly(tax) },
          ]
        : []),
    ],
    total: { label: t('mail-amounts-total'), amount: exactly(total) },
  }
}
