import type { Language } from '#domain/languages.ts'
import type { MailAmounts } from '#domain/mail/mail-data.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { taxShareOf } from '#domain/money/tax.ts'
import { getT } from '#i18n/index.ts'

/** What was paid beside the price of the thing itself. */
export interface Paid {
  /** The support amount without its tax. */
  readonly net: Money
  readonly tax: Money
  readonly total: Money
}

/** What a buyer paid, to the cent: the thing itself, the support with its tax if there was any, and all of it. */
export function amountsPaid(
  bought: { readonly label: string; readonly price: Money },
  { net, tax, total }: Paid,
  language: Language,
): MailAmounts {
  const t = getT(language)
  const exactly = (amount: Money) => formatMoney(amount, language, 'always')
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(taxShareOf({ net, tax }))
  return {
    title: t('mail-amounts-title'),
    rows: [
      { label: bought.label, amount: exactly(bought.price) },
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
