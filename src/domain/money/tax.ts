import { type Money, money } from './money.ts'

/** How the support amount is told apart in one market; both in percent. */
export interface TaxRates {
  /** What is shown of the support as its tax, and booked so: so many hundredths of the whole amount, without decimals. */
  readonly taxShare: number
  /** Value added tax that tax reports find within the support, with at most two decimals. */
  readonly vatRate: number
}

/** Where the operator sets nothing. */
export const DEFAULT_TAX_RATES: TaxRates = { taxShare: 21, vatRate: 21 }

const HIGHEST_VAT_RATE = 50

/** Can this be the share of the support that is shown as tax? Whole percent from 0 to 100. */
export const isTaxShare = (percent: number): boolean =>
  Number.isSafeInteger(percent) && percent >= 0 && percent <= 100

/** Can this be a rate of VAT? Percent from 0 to the highest, with two decimals at most. */
export const isVatRate = (percent: number): boolean =>
  percent >= 0 && percent <= HIGHEST_VAT_RATE && hundredths(percent) / 100 === percent

/** A rate as an order keeps it: hundredths of a percent, a whole number. */
export const hundredths = (percent: number): number => Math.round(percent * 100)

/** The share of the tax in what was paid then, whatever it is today; the product's own where no support was paid. */
export function taxShareOf({ net, tax }: { readonly net: Money; readonly tax: Money }): number {
  const support = net.amount + tax.amount
  return support === 0 ? DEFAULT_TAX_RATES.taxShare / 100 : tax.amount / support
}

/**
 * Splits a support amount: `tax = round(support × share)` to the minor unit, half a unit upwards, and `net`
 * is the rest, so that both always sum to the support. A negative amount is a fault: RangeError.
 * @param taxShare whole percent
 */
export function splitTax(support: Money, taxShare: TaxRates['taxShare']): { net: Money; tax: Money } {
  const { amount, currency } = support
  if (amount < 0) throw new RangeError('A support amount is never negative')
  // In integers, hundreds apart from the rest, so that no product leaves the exact range.
  const hundreds = Math.floor(amount / 100)
  const rest = amount % 100
  const tax = hundreds * taxShare + Math.floor((rest * taxShare + 50) / 100)
  return { net: money(amount - tax, currency), tax: money(tax, currency) }
}

/**
 * The value added tax within an amount that includes it: `round(amount × rate / (100 + rate))` to the minor unit, half a
 * unit upwards.
 * @param vatRate percent
 */
export function vatWithin({ amount, currency }: Money, vatRate: TaxRates['vatRate']): Money {
  const rate = BigInt(hundredths(vatRate))
  const whole = 10_000n + rate
  return money(Number((2n * BigInt(amount) * rate + whole) / (2n * whole)), currency)
}
