import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import { TAX_SHARE } from '#domain/money/tax.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import { fill } from '#ui/fill.ts'

export const PRICE_TEXTS = ['price-title', 'price-ngo', 'price-net', 'price-tax', 'price-total'] as const

interface Props {
  readonly language: Language
  /** Absent while nothing is known yet: the rows keep their place. */
  readonly price: Quote<string> | undefined
  readonly texts: Readonly<Record<(typeof PRICE_TEXTS)[number], string>>
}

/** The whole price, to the cent: who receives what, and what is paid. */
export function PriceRows({ language, price, texts }: Props) {
  const share = new Intl.NumberFormat(language, { style: 'percent' }).format(TAX_SHARE)
  const rows = [
    ['ngo', texts['price-ngo'], price?.ngo],
    ['net', texts['price-net'], price?.net],
    ['tax', fill(texts['price-tax'], { share }), price?.tax],
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
