import type { Currency } from '../money/currency.ts'
import { addMoney, type Money, money } from '../money/money.ts'
import { splitTax, type TaxRates, vatWithin } from '../money/tax.ts'
import { Problem } from '../problems.ts'
import { reachableSupports } from '../support/slider.ts'
import type { PricingEntry } from './strategies.ts'

/** What a browser asks to buy, amounts in minor units. The server checks every amount. */
export interface QuoteRequest {
  readonly packageId: string
  readonly ngoAmount: number
  readonly supportAmount: number
  readonly currency: Currency
}

/** What a purchase costs and where it goes: total = ngo + support, support = net + tax. */
export interface Quote {
  readonly packageId: string
  /** The amount for the organisations, which is the card's credit; for an invitation the price of its package. */
  readonly ngo: Money
  /** The support for the product, tax included. */
  readonly support: Money
  readonly net: Money
  readonly tax: Money
  /** Value added tax within the support, as tax reports have it, and at which rate, in percent. */
  readonly vat: Money
  readonly vatRate: number
  readonly total: Money
}

/**
 * Prices a purchase from what is on offer: package and amount must stand together in one of the entries, all of the
 * currency asked for, and the support amount must be one that the slider gives there (product.md#money).
 * Anything else is Problem `price-not-listed`.
 * @param rates of the market in which it is bought
 */
export function quote(
  entries: readonly PricingEntry[],
  { packageId, ngoAmount, supportAmount, currency }: QuoteRequest,
  rates: TaxRates,
): Quote {
  const entry = entries.find(
    listed => sells(listed, packageId, ngoAmount) && reachableSupports(listed).includes(supportAmount),
  )
  if (!entry) throw new Problem('price-not-listed')
  return quoteOf(entry, supportAmount, currency, rates)
}

/** What an entry costs with a support that its slider gives there. */
export function quoteOf(
  entry: PricingEntry,
  supportAmount: number,
  currency: Currency,
  { taxShare, vatRate }: TaxRates,
): Quote {
  const ngo = money(entry.ngoAmount, currency)
  const support = money(supportAmount, currency)
  return {
    packageId: entry.packageId,
    ngo,
    support,
    ...splitTax(support, taxShare),
    vat: vatWithin(support, vatRate),
    vatRate,
    total: addMoney(ngo, support),
  }
}

/** What so many of what was quoted cost together: each amount of one, as often, so that every card has an equal part. */
export function quoteOfMany(one: Quote, cards: number): Quote {
  const times = ({ amount, currency }: Money) => money(amount * cards, currency)
  return {
    ...one,
    ngo: times(one.ngo),
    support: times(one.support),
    net: times(one.net),
    tax: times(one.tax),
    vat: times(one.vat),
    total: times(one.total),
  }
}

function sells(entry: PricingEntry, packageId: string, ngoAmount: number): boolean {
  return entry.packageId === packageId && entry.ngoAmount === ngoAmount
}
