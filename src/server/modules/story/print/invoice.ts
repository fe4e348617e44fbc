import { dayOf, lastDayBefore } from '#domain/dates.ts'
import type { InvoiceTo } from '#domain/invoice/invoice.ts'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { writeDocument } from './document.ts'

/** What stands on an invoice. Times are epoch ms UTC. */
export interface InvoiceFacts {
  readonly number: string
  readonly to: Omit<InvoiceTo, 'email'>
  /** The operator: name, tax number, seat. */
  readonly from: string
  /** Where it is paid to, as the operator has it printed. */
  readonly account: string
  readonly cards: number
  readonly credit: Money
  /** Label and amount of each line of the price, the total last. */
  readonly price: readonly (readonly [label: string, amount: Money])[]
  readonly madeAt: number
  readonly dueAt: number
  /** The day at the bank, `YYYY-MM-DD`; null as long as it waits. Paid, it says no more where to pay. */
  readonly paidOn: string | null
  /** The number of its receipt; undefined until it is paid. */
  readonly receipt: string | undefined
  readonly orderId: string
  readonly language: Language
}

/** One sheet of A4, without colours, as a certificate is. That of a sandbox asks for no money. */
export function invoiceSheet(
  facts: InvoiceFacts,
  { sandbox = false }: { readonly sandbox?: boolean } = {},
): Promise<Buffer> {
  const { language, number, to, cards, credit } = facts
  const t = getT(language)
  const amount = formatMoney(credit, language, 'when-needed')
  return writeDocument({
    language,
    title: t('invoice-title'),
    number,
    ...(sandbox && { notice: t('invoice-sandbox') }),
    rows: [
      [t('invoice-number'), number],
      [t('invoice-made'), dayOf(facts.madeAt, language)],
      [t('invoice-from'), facts.from],
      [t('invoice-to'), [to.name, to.document, to.address].filter(Boolean).join(' · ')],
      [t('invoice-what'), t('invoice-cards', { cards, amount })],
      ...facts.price.map(([label, each]) => [label, formatMoney(each, language, 'always')] as const),
      ...(facts.paidOn === null
        ? [[t('invoice-due'), lastDayBefore(facts.dueAt, language)] as const]
        : [[t('invoice-paid-on'), dayOf(Date.parse(facts.paidOn), language)] as const]),
      ...(facts.receipt === undefined ? [] : [[t('invoice-receipt'), facts.receipt] as const]),
      ...(sandbox || facts.paidOn !== null ? [] : [[t('invoice-account'), facts.account] as const]),
      [t('invoice-reference'), number],
      [t('invoice-order'), facts.orderId],
    ],
    words: [t(facts.paidOn === null ? 'invoice-proforma' : 'invoice-proforma-paid')],
  })
}
