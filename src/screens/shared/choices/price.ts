import type { Language } from '#domain/languages.ts'
import type { Currency } from '#domain/money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '#domain/money/money.ts'
import { type Quote, quote } from '#domain/pricing/quote.ts'
import { entryOf, type PricingEntry } from '#domain/pricing/strategies.ts'
import { sliderExtra, sliderPositions } from '#domain/support/slider.ts'
import { $package } from './gift-package.store.ts'
import { strategyFor } from './strategy.store.ts'

/** The chosen package's entry in the visitor's pricing strategy, if a package is chosen. */
export function chosenEntry(language: Language): PricingEntry | undefined {
  const id = $package.get()
  return id && entryOf(strategyFor(language), id)
}

/** A place that the entry's slider can take: the one given, else 0. */
export function sliderPlace({ ngoAmount }: PricingEntry<string>, position: number): number {
  return sliderPositions(ngoAmount / MINOR_UNITS_PER_UNIT).includes(position) ? position : 0
}

/** The whole support amount at a place of the slider, minor units; an impossible place counts as 0. */
export function supportAt(entry: PricingEntry<string>, position: number): number {
  const price = entry.ngoAmount / MINOR_UNITS_PER_UNIT
  const support = entry.supportAmount / MINOR_UNITS_PER_UNIT
  return (
    sliderExtra({ support, price, multiplier: entry.multiplier, position: sliderPlace(entry, position) }) *
    MINOR_UNITS_PER_UNIT
  )
}

/** What an entry costs with the slider there, and where it goes. */
export function priceOf(entry: PricingEntry, position: number, currency: Currency): Quote {
  const { packageId, ngoAmount } = entry
  return quote({ packageId, ngoAmount, supportAmount: supportAt(entry, position), currency })
}
