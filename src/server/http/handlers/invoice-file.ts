import { isInvoicePrinted } from '#domain/invoice/invoice.ts'
import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import { taxShareOf } from '#domain/money/tax.ts'
import { getT } from '#i18n/index.ts'
import type { App } from '#server/http/app.ts'
import { fileResponse } from '#server/http/pipeline/file-response.ts'
import type { OpenedInvoice } from '#server/modules/payments/invoices/interface.ts'

/** The lines of what an invoice comes to, each with its label, the total last. */
export function invoicePrice(
  { ngo, support, tax, total }: OpenedInvoice,
  language: Language,
): readonly (readonly [label: string, amount: Money])[] {
  const t = getT(language)
  // As the order was quoted: the market may have another share by now.
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(
    taxShareOf({ net: support, tax }),
  )
  return [
    [t('price-ngo'), ngo],
    ...(support.amount + tax.amount === 0
      ? []
      : [[t('price-net'), support] as const, [t('price-tax', { share }), tax] as const]),
    [t('invoice-total'), total],
  ]
}

/**
 * The invoice as a PDF; undefined where nobody may pay it any more, or nobody knows whom it is made out to, or where to pay.
 * @param from the operator: name, tax number, seat
 */
export async function invoiceFile(
  app: Pick<App, 'prints' | 'settings'>,
  invoice: OpenedInvoice,
  { language, from }: { readonly language: Language; readonly from: string },
): Promise<Response | undefined> {
  const account = app.settings.invoiceAccounts[invoice.total.currency]
  const { to, standing, number } = invoice
  if (!isInvoicePrinted(standing) || to === null || account === undefined) return undefined
  const pdf = await app.prints.invoiceOf({
    ...invoice,
    to,
    account,
    from,
    price: invoicePrice(invoice, language),
    language,
  })
  return fileResponse(`invoice-${number}.pdf`, 'application/pdf', new Uint8Array(pdf))
}
