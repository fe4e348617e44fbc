import { type CSSProperties, type SubmitEvent, useEffect, useState } from 'react'
import '#styles/support.css'
import type { Language } from '#domain/languages.ts'
import { formatMoney } from '#domain/money/format.ts'
import { nextScreen } from '#domain/sender/flow.ts'
import { SLIDER_END, sliderStep } from '#domain/support/slider.ts'
import { senderPath } from '#paths'
import { $package } from '#stores/gift-package.ts'
import { chosenEntry, priceOf, sliderPlace } from '#stores/price.ts'
import { $supportPosition } from '#stores/support.ts'
import { currentWay } from '#stores/way.ts'
import { PRICE_TEXTS, PriceRows } from '#ui/sender/PriceRows.tsx'
import { quickPositions } from '#ui/sender/quick-positions.ts'
import { useChoice, useCurrency } from './browser.ts'
import { guard } from './guard.ts'

const SCREEN = 'donation-packages-support-amount'

export const SUPPORT_AMOUNT_TEXTS = [
  'donation-packages-support-amount-slider',
  'donation-packages-support-amount-none',
  'donation-packages-support-amount-quick',
  'donation-packages-support-amount-tip',
  'common-continue',
  ...PRICE_TEXTS,
] as const

interface Props {
  readonly language: Language
  readonly texts: Readonly<Record<(typeof SUPPORT_AMOUNT_TEXTS)[number], string>>
}

/** How much to add for those who run this, with the whole price beside it. It starts at nothing. */
export default function SupportAmount({ language, texts }: Props) {
  const stored = useChoice($supportPosition, undefined)
  const packageId = useChoice($package, undefined)
  const currency = useCurrency(language)
  const [moved, setMoved] = useState<number>()
  useEffect(() => guard(SCREEN, language), [language])

  const entry = packageId && chosenEntry(language)
  const position = entry ? sliderPlace(entry, moved ?? stored ?? 0) : 0
  const price = entry && priceOf(entry, position, currency)
  const amountAt = (place: number): string =>
    entry ? formatMoney(priceOf(entry, place, currency).support, language, 'when-needed') : '\u00a0'

  const move = (place: number): void => {
    setMoved(place)
    $supportPosition.set(place)
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    // Leaving the slider untouched is a choice too: nothing.
    $supportPosition.set(position)
    location.assign(senderPath(language, nextScreen(SCREEN, currentWay())))
  }

  return (
    <form className="form" onSubmit={submit}>
      <div className="support">
        <label htmlFor="support">{texts['donation-packages-support-amount-slider']}</label>
        <output className="amount support-amount" htmlFor="support">
          {amountAt(position)}
        </output>
        <input
          id="support"
          type="range"
          min={0}
          max={SLIDER_END}
          step={entry ? sliderStep(entry.ngoAmount / 100) : 10}
          value={position}
          onChange={event => move(Number(event.target.value))}
          aria-valuetext={amountAt(position)}
          // Set by script only (nothing of it stands in the page as delivered).
          style={entry && ({ '--filled': `${position}%` } as CSSProperties)}
        />
        <p className="support-ends soft small" aria-hidden="true">
          <span>{amountAt(0)}</span>
          <span>{amountAt(SLIDER_END)}</span>
        </p>
        <fieldset className="quick">
          <legend className="visually-hidden">{texts['donation-packages-support-amount-quick']}</legend>
          {(entry ? quickPositions(entry) : [0]).map(place => (
            <button
              key={place}
              type="button"
              className="button button-quiet"
              aria-pressed={amountAt(place) === amountAt(position)}
              onClick={() => move(place)}
              data-action="support"
              data-position={place}
            >
              {place === 0 ? texts['donation-packages-support-amount-none'] : amountAt(place)}
            </button>
          ))}
        </fieldset>
      </div>
      <PriceRows language={language} price={price} texts={texts} />
      <div className="actions" data-needs-script>
        <button className="button" type="submit" data-action="continue">
          {texts['common-continue']}
        </button>
        <a className="link" href={senderPath(language, 'donate-us')} data-action="donate-us">
          {texts['donation-packages-support-amount-tip']}
        </a>
      </div>
    </form>
  )
}
