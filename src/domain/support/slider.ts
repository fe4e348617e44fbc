import { MINOR_UNITS_PER_UNIT } from '../money/money.ts'
import type { PricingEntry } from '../pricing/strategies.ts'

export const VOLUNTEERING_MULTIPLIER = 40

/** The end of the native range, which starts at 0. */
export const SLIDER_END = 100

/** A slider's place; amounts in whole currency units. */
export interface SliderPlace {
  /** The package's own support amount. */
  readonly support: number
  /** The amount for the organisations, or the price of a package that gives them nothing. */
  readonly price: number
  /** At most two decimals. */
  readonly multiplier: number
  /** The value of the range, 0 to 100. */
  readonly position: number
}

/**
 * The whole support amount at a position, in whole units (product.md#support-slider):
 * floor(support + (price + support) × position / 100 × multiplier). Nothing is added to it again.
 */
export function sliderExtra({ support, price, multiplier, position }: SliderPlace): number {
  // In integers: as fractions, 1.55 would now and then fall a hair short and lose a whole unit.
  const hundredths = Math.round(multiplier * 100)
  return support + Math.floor(((price + support) * position * hundredths) / (SLIDER_END * 100))
}

/** The range's step: the price (whole units) where that is below 10, else 10; never 0. */
export function sliderStep(price: number): number {
  return Math.max(1, Math.min(price, 10))
}

/** Every position that the range can take: 0, one step, two steps … up to 100. */
export function sliderPositions(price: number): number[] {
  const step = sliderStep(price)
  return Array.from({ length: Math.floor(SLIDER_END / step) + 1 }, (_, index) => index * step)
}

/** Every support amount that the slider can give for an entry, in minor units, rising, each once. */
export function reachableSupports(entry: PricingEntry): readonly number[] {
  const price = entry.ngoAmount / MINOR_UNITS_PER_UNIT
  const support = entry.supportAmount / MINOR_UNITS_PER_UNIT
  const extras = sliderPositions(price).map(position =>
    sliderExtra({ support, price, multiplier: entry.multiplier, position }),
  )
  return [...new Set(extras)].map(units => units * MINOR_UNITS_PER_UNIT)
}
