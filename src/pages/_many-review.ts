import { formatMoney } from '#domain/money/format.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import type { Problem } from '#domain/problems.ts'
import type { WrittenMany } from '#domain/sender/many-cards.ts'
import { themeIn } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { wordsAtPayment } from '#server/http/pipeline/said-at-payment.ts'
import { feeLine, listedNgos } from './[lang]/intro/_texts.ts'

type Locals = Pick<App.Locals, 'language' | 'app'>

/** Which words say why a payment of many cards was refused. */
export function problemWords(problem: Problem) {
  // Nothing is split here: it is the organisation to fall back on.
  return problem.code === 'ngo-not-listed' ? 'fallback-gone' : wordsAtPayment(problem)
}

/** What was chosen for all of many cards, each with its label. */
export function chosenRows(
  { language, app }: Locals,
  { sender, theme, fallback }: WrittenMany,
  { message, currency }: { readonly message: string | null; readonly currency: Quote['total']['currency'] },
): readonly (readonly [label: string, value: string])[] {
  const t = getT(language)
  const { themes, markets } = app.content.snapshot()
  const named = listedNgos(app, language).find(({ id }) => id === fallback)?.title
  return [
    [t('many-review-sender'), sender.trim() || t('donation-prepayment-anonymous')],
    ...(message === null ? [] : [[t('donation-prepayment-message'), message] as const]),
    [t('donation-prepayment-colours'), themeIn(themes, theme)?.names[language] ?? ''],
    [t('fallback-row', { months: markets[currency].months }), named ?? t('fallback-chance')],
  ]
}

/** What is worth knowing before a payment in a currency: of the tax office, and of who pays what the payment costs. */
export function paymentNotes(
  { language, app }: Locals,
  currency: Quote['total']['currency'],
): readonly string[] {
  const { receipts } = app.content.snapshot().markets[currency]
  return [getT(language)(`receipts-${receipts}`), feeLine({ language, app })]
}

/** The lines of a price, each by its name, with its label and amount. */
export function priceRows(
  { language, app }: Locals,
  price: Quote,
): readonly (readonly [name: string, label: string, value: string])[] {
  const t = getT(language)
  const { taxShare } = app.content.snapshot().markets[price.total.currency]
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(taxShare / 100)
  const line = (name: 'ngo' | 'net' | 'tax' | 'total', label: string) =>
    [name, label, formatMoney(price[name], language, 'always')] as const
  const support = [line('net', t('price-net')), line('tax', t('price-tax', { share }))]
  return [
    line('ngo', t('price-ngo')),
    ...(price.support.amount > 0 ? support : []),
    line('total', t('price-total')),
  ]
}
