import { SLIDER_END, sliderExtra } from '../support/slider.ts'

/**
 * What the operator may ask for a package, in whole units: a card is divided by whole points, and pages show no cents.
 * The Studio and the check of published content say the same.
 */

/** The dearest package. */
const MOST_UNITS = 100_000

/** What the provider charges at most in one payment. */
const MOST_TO_PAY = 999_999

/** Each is on a page that every buyer is sent. */
export const MOST_PACKAGES = 40

export const AMOUNT_RULE = 'a whole number of units from 1 to 100,000, without cents'
export const SUPPORT_RULE = 'a whole number of units, from 0 to the package’s amount'
export const REACH_RULE = 'a number from 0.1 to 40, with two decimals at most'
export const TOTAL_RULE = 'with the slider at its end no payment may be above 999,999'

/** Can this be the amount of a gift card? Whole units, from 1 to the most. */
export function isAmount(units: unknown): units is number {
  return Number.isSafeInteger(units) && (units as number) >= 1 && (units as number) <= MOST_UNITS
}

/** How much the support may be before the slider is moved. */
export function isSupportFor(amount: unknown, support: unknown): support is number {
  return (
    Number.isSafeInteger(support) && (support as number) >= 0 && (support as number) <= (amount as number)
  )
}

/** How far the slider reaches, as a multiple of the price. */
export function isReach(multiplier: unknown): multiplier is number {
  if (typeof multiplier !== 'number' || multiplier < 0.1 || multiplier > 40) return false
  return Math.abs(multiplier * 100 - Math.round(multiplier * 100)) < 1e-9
}

/** Can all of it be charged, also with the slider at its end? */
export function isTotalPayable({
  amount,
  support,
  multiplier,
}: {
  readonly amount: number
  readonly support: number
  readonly multiplier: number
}): boolean {
  return amount + sliderExtra({ price: amount, support, multiplier, position: SLIDER_END }) <= MOST_TO_PAY
}
