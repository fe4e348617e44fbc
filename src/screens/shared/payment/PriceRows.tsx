import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import { fill } from '#screens/shared/kit/fill.ts'
import '#screens/shared/kit/rows.css'

export const PRICE_TEXTS = ['price-title', 'price-ngo', 'price-net', 'price-tax', 'price-total'] as const

interface Props {
  readonly language: Language
  /** Absent while nothing is known yet: the rows that always are keep their place. */
  readonly price: Quote | undefined
  /** Of the support, in percent. */
  readonly taxShare: number
  readonly texts: Readonly<Record<(typeof PRICE_TEXTS)[number], string>>
  /** While the support is being chosen its rows stay, also at nothing: else all that is below would jump. */
  readonly isBeingChosen?: boolean
}

/** The whole price, to the cent: who receives what, and what is paid. Without any support nothing is said of it. */
export function PriceRows({ language, price, taxShare, texts, isBeingChosen = false }: Props) {
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(taxShare / 100)
  const hasSupport = isBeingChosen || (price !== undefined && price.support.amount > 0)
  const ofSupport = [
    ['net', texts['price-net'], price?.net],
    ['tax', fill(texts['price-tax'], { share }), price?.tax],
  ] as const
  const rows = [
    ['ngo', texts['price-ngo'], price?.ngo],
    ...(hasSupport ? ofSupport : []),
    ['total', texts['price-total'], price?.total],
  ] as const
  return (
    <dl className="rows" aria-label={texts['price-title']}>
      {rows.map(([name, label, amount]) => (
        <div key={name} className={name === 'total' ? 'total' : undefined} data-price={name}>
          <dt>{label}</dt>
          <dd className="figure">{amount ? formatMoney(amount, language, 'always') : '\u00a0'}</dd>
        </div>
      ))}
    </dl>
  )
}
