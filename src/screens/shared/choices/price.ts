import type { Language } from '#domain/languages.ts'
import { type Currency, DEFAULT_CURRENCY } from '#domain/money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '#domain/money/money.ts'
import { briefEntry, type PriceLists } from '#domain/pricing/offer.ts'
import { type Quote, quoteOf } from '#domain/pricing/quote.ts'
import type { PricingEntry } from '#domain/pricing/strategies.ts'
import { sliderExtra, sliderPositions } from '#domain/support/slider.ts'
import { $package } from './gift-package.store.ts'
import { $giftPrices, type TaxesOf } from './shown-prices.store.ts'
import { strategyFor } from './strategy.store.ts'

/**
 * What the chosen package costs this visitor: as it was shown when it was chosen, else as the page has it.
 * @param lists of the page
 * @returns undefined where none is chosen, or the operator sells it no more
 */
export function chosenEntry(
  lists: PriceLists,
  language: Language,
  currency: Currency,
): PricingEntry | undefined {
  const id = $package.get()
  if (!id) return undefined
  const strategy = strategyFor(language)
  const shown = $giftPrices.get()
  const prices = shown?.id === id && shown.strategy === strategy ? shown.prices : lists[strategy][id]
  return prices && briefEntry(prices, id, currency)
}

/** Takes back the choice of a package that nobody can buy any more: the guard of the screen then leads to the packages. */
export function forgetUnsold(lists: PriceLists, language: Language): void {
  if ($package.get() && !chosenEntry(lists, language, DEFAULT_CURRENCY)) $package.set(undefined)
}

/** A place that the entry's slider can take: the one given, else 0. */
export function sliderPlace({ ngoAmount }: PricingEntry, position: number): number {
  return sliderPositions(ngoAmount / MINOR_UNITS_PER_UNIT).includes(position) ? position : 0
}

/** The whole support amount at a place of the slider, minor units; an impossible place counts as 0. */
export function supportAt(entry: PricingEntry, position: number): number {
  const price = entry.ngoAmount / MINOR_UNITS_PER_UNIT
  const support = entry.supportAmount / MINOR_UNITS_PER_UNIT
  return (
    sliderExtra({ support, price, multiplier: entry.multiplier, position: sliderPlace(entry, position) }) *
    MINOR_UNITS_PER_UNIT
  )
}

/** What an entry costs with the slider there, and where it goes. */
export function priceOf(entry: PricingEntry, position: number, currency: Currency, taxes: TaxesOf): Quote {
  return quoteOf(entry, supportAt(entry, position), currency, taxes[currency])
}
