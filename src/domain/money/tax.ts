import { type Money, money } from './money.ts'

const TAX_PERCENT = 21

/**
 * The tax's share of the support amount: the one place to change it. It counts for what is quoted from then on; an order
 * keeps the tax that it was quoted with.
 */
export const TAX_SHARE = TAX_PERCENT / 100

/** The share of the tax in what was paid then, whatever it is today; today's where no support was paid. */
export function taxShareOf({ net, tax }: { readonly net: Money; readonly tax: Money }): number {
  const support = net.amount + tax.amount
  return support === 0 ? TAX_SHARE : tax.amount / support
}

/**
 * Splits a support amount: `tax = round(support × share)` to the minor unit, half a unit upwards, and `net`
 * is the rest, so that both always sum to the support. A negative amount is a fault: RangeError.
 */
export function splitTax(support: Money): { net: Money; tax: Money } {
  const { amount, currency } = support
  if (amount < 0) throw new RangeError('A support amount is never negative')
  // In integers, hundreds apart from the rest, so that no product leaves the exact range.
  const hundreds = Math.floor(amount / 100)
  const rest = amount % 100
  const tax = hundreds * TAX_PERCENT + Math.floor((rest * TAX_PERCENT + 50) / 100)
  return { net: money(amount - tax, currency), tax: money(tax, currency) }
}
