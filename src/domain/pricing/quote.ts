import type { Currency } from '../money/currency.ts'
import { addMoney, type Money, money } from '../money/money.ts'
import { splitTax } from '../money/tax.ts'
import { Problem } from '../problems.ts'
import { reachableSupports } from '../support/slider.ts'
import { INAUGURATION_PACKAGE, type VolunteeringPackageId } from '../volunteering/package.ts'
import type { PackageId } from './packages.ts'
import { type PricingEntry, STRATEGIES } from './strategies.ts'

/** What a browser asks to buy, amounts in minor units. None of it is believed. */
export interface QuoteRequest {
  readonly packageId: string
  readonly ngoAmount: number
  readonly supportAmount: number
  readonly currency: Currency
}

/** What a purchase costs and where it goes: total = ngo + support, support = net + tax. */
export interface Quote<Id extends string = PackageId> {
  readonly packageId: Id
  /** To the organisations, which is the card's credit; the price of a volunteering package. */
  readonly ngo: Money
  /** To the product, tax included. */
  readonly support: Money
  readonly net: Money
  readonly tax: Money
  readonly total: Money
}

/**
 * Prices a purchase from the product's own tables: package and amount must stand together in one of the
 * strategies, and the support amount must be one that the slider gives there (product.md#money).
 * Anything else is Problem `price-not-listed`.
 */
export function quote({ packageId, ngoAmount, supportAmount, currency }: QuoteRequest): Quote {
  return quoteFrom(Object.values(STRATEGIES).flat(), { packageId, ngoAmount, supportAmount, currency })
}

/** The same for a volunteering package, whose price stands in the place of the organisations' amount. */
export function quoteVolunteering(request: QuoteRequest): Quote<VolunteeringPackageId> {
  return quoteFrom([INAUGURATION_PACKAGE], request)
}

function quoteFrom<Id extends string>(
  entries: readonly PricingEntry<Id>[],
  { packageId, ngoAmount, supportAmount, currency }: QuoteRequest,
): Quote<Id> {
  const entry = entries.find(
    listed => sells(listed, packageId, ngoAmount) && reachableSupports(listed).includes(supportAmount),
  )
  if (!entry) throw new Problem('price-not-listed')
  const ngo = money(entry.ngoAmount, currency)
  const support = money(supportAmount, currency)
  return { packageId: entry.packageId, ngo, support, ...splitTax(support), total: addMoney(ngo, support) }
}

function sells(entry: PricingEntry<string>, packageId: string, ngoAmount: number): boolean {
  return entry.packageId === packageId && entry.ngoAmount === ngoAmount
}
