import { CURRENCIES, type Currency } from '../money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '../money/money.ts'
import { type BriefPrices, brief, giftEntries, type Offer, type Price, type Prices } from './offer.ts'
import { isAmount } from './offer-rules.ts'
import type { PricingEntry } from './strategies.ts'

/** The id that a card of the buyer's own amount is sold under; no package of the operator's has it. */
export const OWN_PACKAGE = 'own'

/** The highest own amount where the operator sets none, in whole units. */
export const USUAL_MOST_OWN = 500

/** Own amounts that are sold, in whole units, both ends included. */
export type OwnRange = readonly [least: number, most: number]

/** Can this be a market's highest own amount? 0 means that none is sold there. */
export const isMostOwn = (units: number): boolean => units === 0 || isAmount(units)

/**
 * From the lowest package of any price list up to the market's limit (product.md#packages).
 * @param most whole units
 * @returns undefined where no own amount is sold
 */
export function ownRange(
  offer: Pick<Offer, 'gifts'>,
  currency: Currency,
  most: number,
): OwnRange | undefined {
  const lowest = Math.min(...giftEntries(offer, currency).map(({ ngoAmount }) => ngoAmount))
  const least = Math.ceil(lowest / MINOR_UNITS_PER_UNIT)
  return least <= most ? [least, most] : undefined
}

/** An own amount as somebody types it, in whole units: `65`, `65.00`, `65,00`; undefined for any other, or outside the range. */
export function readOwnAmount(typed: string, [least, most]: OwnRange): number | undefined {
  const [, whole = ''] = /^(\d{1,6})(?:[.,]0{1,2})?$/.exec(typed.trim()) ?? []
  const units = Number(whole)
  return whole !== '' && units >= least && units <= most ? units : undefined
}

/** What an own amount costs: the support begins at nothing, and the slider reaches as far as that of a package. */
const priceOf = (ngoAmount: number): Price => ({ ngoAmount, supportAmount: 0, multiplier: 1 })

/** The price of an own amount, the same number in each currency, as pages keep it. @param units whole */
export function ownPrices(units: number): BriefPrices {
  const price = priceOf(units * MINOR_UNITS_PER_UNIT)
  return brief(Object.fromEntries(CURRENCIES.map(currency => [currency, price])) as unknown as Prices)
}

/** The entry that sells this own amount; empty where it is none. @param ngoAmount minor units */
export function ownEntries(ngoAmount: number, range: OwnRange | undefined): readonly PricingEntry[] {
  const units = ngoAmount / MINOR_UNITS_PER_UNIT
  const isSold = range !== undefined && Number.isSafeInteger(units) && units >= range[0] && units <= range[1]
  return isSold ? [{ packageId: OWN_PACKAGE, ...priceOf(ngoAmount) }] : []
}
