import { type CSSProperties, type SubmitEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import '#screens/shared/kit/actions-stay.css'
import '#screens/shared/support-amount/support-amount.css'
import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import type { Quote } from '#domain/pricing/quote.ts'
import type { PricingEntry } from '#domain/pricing/strategies.ts'
import { SLIDER_END, sliderStep } from '#domain/support/slider.ts'
import { senderPath } from '#paths'
import { $package } from '#screens/shared/choices/gift-package.store.ts'
import { missingStep } from '#screens/shared/choices/missing-step.ts'
import { chosenEntry, forgetUnsold, priceOf, sliderPlace } from '#screens/shared/choices/price.ts'
import type { OnSale } from '#screens/shared/choices/shown-prices.store.ts'
import { $supportPosition } from '#screens/shared/choices/support.store.ts'
import {
  $volunteeringSupport,
  invitationEntry,
  missingVolunteeringStep,
} from '#screens/shared/choices/volunteering.store.ts'
import { nextScreenPath } from '#screens/shared/flow/continue.ts'
import { guard } from '#screens/shared/flow/donation-guard.ts'
import { guardVolunteering } from '#screens/shared/flow/volunteering-guard.ts'
import { currentWay } from '#screens/shared/flow/way.store.ts'
import { useBrowserValue, useChoice, useCurrency } from '#screens/shared/kit/use-browser-value.ts'
import { PRICE_TEXTS, PriceRows } from '#screens/shared/payment/PriceRows.tsx'
import { FallbackField, type ListedNgo } from '#screens/shared/support-amount/FallbackField.tsx'
import { quickPositions } from '#screens/shared/support-amount/quick-positions.ts'

/** What differs between the two kinds of gift (product.md#support-slider: one shared screen). */
const GIFTS = {
  donation: {
    screen: 'donation-packages-support-amount',
    $position: $supportPosition,
    guard,
    way: currentWay,
    missing: missingStep,
    entryIn: ({ gifts }: OnSale, language: Language, currency: Currency) =>
      chosenEntry(gifts, language, currency),
  },
  volunteering: {
    screen: 'volunteering-packages-support-amount',
    $position: $volunteeringSupport,
    guard: guardVolunteering,
    way: () => 'volunteering' as const,
    missing: missingVolunteeringStep,
    entryIn: ({ invitation }: OnSale, _: Language, currency: Currency): PricingEntry | undefined =>
      invitationEntry(invitation, currency),
  },
} as const

export const SUPPORT_AMOUNT_TEXTS = [
  'donation-packages-support-amount-slider',
  'donation-packages-support-amount-none',
  'donation-packages-support-amount-quick',
  'donation-packages-support-amount-tip',
  'common-continue',
  'fallback-label',
  'fallback-chance',
  ...PRICE_TEXTS,
] as const

interface Props {
  readonly gift: keyof typeof GIFTS
  readonly language: Language
  readonly onSale: OnSale
  readonly texts: Readonly<Record<(typeof SUPPORT_AMOUNT_TEXTS)[number], string>>
  /** Whom the buyer may name for an unused card; an invitation has no credit to give. */
  readonly ngos?: readonly ListedNgo[]
}

/** How much to add for those who run this, with the whole price beside it. It starts at nothing. */
export default function SupportAmount({ gift, language, onSale, texts, ngos }: Props) {
  const { screen, $position, guard, way, missing, entryIn } = GIFTS[gift]
  const stored = useChoice($position, undefined)
  const packageId = useChoice($package, undefined)
  const currency = useCurrency(language)
  const [moved, setMoved] = useState<number>()
  useEffect(() => {
    if (gift === 'donation') forgetUnsold(onSale.gifts, language)
    guard(screen, language)
  }, [gift, guard, onSale, screen, language])

  // As it is delivered the page knows no price yet; the browser does.
  const isKnown = useBrowserValue(() => true, false) && (gift === 'volunteering' || packageId !== undefined)
  const sold = isKnown ? entryIn(onSale, language, currency) : undefined
  const at = (place: number) =>
    sold && {
      entry: sold,
      position: sliderPlace(sold, place),
      price: priceOf(sold, place, currency, onSale.taxes),
    }
  const { entry, position = 0, price } = at(moved ?? stored ?? 0) ?? {}
  const formatted = (quoted: Quote | undefined): string =>
    quoted ? formatMoney(quoted.support, language, 'when-needed') : '\u00a0'
  const amountAt = (place: number): string => formatted(at(place)?.price)

  const move = (place: number): void => {
    setMoved(place)
    $position.set(place)
  }
  // Moved while this code was under way: the page as it was delivered has it at nothing.
  const slider = useRef<HTMLInputElement>(null)
  const takeOver = useRef(() => {
    const place = Number(slider.current?.value)
    if (place > 0) move(place)
  })
  useLayoutEffect(() => takeOver.current(), [])

  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    // Leaving the slider untouched is a choice too: nothing.
    $position.set(position)
    location.assign(nextScreenPath({ screen, language, way: way(), missing }))
  }

  return (
    <form className="form" onSubmit={submit} data-needs-script>
      <div className="support">
        <label htmlFor="support">{texts['donation-packages-support-amount-slider']}</label>
        <output className="amount support-amount" htmlFor="support">
          {amountAt(position)}
        </output>
        <input
          ref={slider}
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
      <PriceRows {...{ language, price, texts }} taxShare={onSale.taxes[currency].taxShare} isBeingChosen />
      {ngos && <FallbackField ngos={ngos} texts={texts} />}
      <div className="actions actions-stay">
        <button className="button" type="submit" data-action="continue">
          {texts['common-continue']}
        </button>
      </div>
      <p className="support-tip">
        <a className="link" href={senderPath(language, 'donate-us')} data-action="donate-us">
          {texts['donation-packages-support-amount-tip']}
        </a>
      </p>
    </form>
  )
}
