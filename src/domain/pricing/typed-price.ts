import type { Currency } from '../money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '../money/money.ts'
import { reachableSupports } from '../support/slider.ts'
import { giftEntries, type Offer } from './offer.ts'
import { ownEntries, ownRange, readOwnAmount } from './own-amount.ts'
import type { PricingEntry } from './strategies.ts'

/** Parts of an amount that can be added as support where no slider is, in percent. */
export const SUPPORT_SHARES = [0, 5, 10, 20] as const

/** What is on sale in a currency. */
export interface OnSale {
  readonly offer: Pick<Offer, 'gifts'>
  /** The market's highest own amount, whole units. */
  readonly mostOwn: number
}

/**
 * What sells an amount that somebody typed: one of their own, or that of a package where none else is sold. Undefined
 * where it is not sold.
 */
export function entryOfTyped(
  typed: string,
  currency: Currency,
  { offer, mostOwn }: OnSale,
): PricingEntry | undefined {
  const range = ownRange(offer, currency, mostOwn)
  if (range === undefined) {
    const amount = wholeNumber(typed) * MINOR_UNITS_PER_UNIT
    return giftEntries(offer, currency).find(({ ngoAmount }) => ngoAmount === amount)
  }
  const units = readOwnAmount(typed, range)
  return units === undefined ? undefined : ownEntries(units * MINOR_UNITS_PER_UNIT, range)[0]
}

/** The highest support that an entry takes and that is no more than this share; never less than its own. @param percent of the amount */
export function supportOf(entry: PricingEntry, percent: number): number {
  const share = Number.isFinite(percent) ? (entry.ngoAmount * percent) / 100 : 0
  const reachable = reachableSupports(entry)
  return reachable.findLast(amount => amount <= share) ?? reachable[0]!
}

/** A whole number of up to six digits; NaN for any other text. */
export const wholeNumber = (typed: string): number =>
  /^\d{1,6}$/.test(typed.trim()) ? Number(typed.trim()) : Number.NaN
