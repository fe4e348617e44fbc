import type { Language } from '../languages.ts'
import { CURRENCIES, type Currency } from '../money/currency.ts'
import type { PricingEntry } from './strategies.ts'
import { STRATEGY_IDS, type StrategyId } from './strategy-ids.ts'

/** What is sold, at which prices and in which words: the operator's own (product.md#packages). */

type InEveryLanguage<T> = Readonly<Record<Language, T>>

/** What a package costs in one currency; amounts in minor units, of which whole units are made. */
export type Price = Omit<PricingEntry, 'packageId'>

/** One price for each currency. */
export type Prices = Readonly<Record<Currency, Price>>

/** A source for what a description says: what it is called, where in it, and where it can be read. */
export interface Citation {
  readonly title: InEveryLanguage<string>
  /** The page, figure or section. */
  readonly place: InEveryLanguage<string>
  readonly links: InEveryLanguage<string>
}

/** A gift card that can be bought. */
export interface GiftPackage {
  /** The id under which the package is stored, sent and sold; see isPackageId. */
  readonly id: string
  readonly title: InEveryLanguage<string>
  /** The line under the title: for whoever begins a chain, and for whoever was given a card. */
  readonly subtitleStart: InEveryLanguage<string>
  readonly subtitleKeep: InEveryLanguage<string>
  readonly description: InEveryLanguage<string>
  /** null where the description claims nothing that needs a source. */
  readonly citation: Citation | null
  readonly prices: Readonly<Record<StrategyId, Prices>>
}

/** The volunteering package: `ngoAmount` of its prices is what it costs; none of it is a donation. */
export interface InvitationPackage {
  readonly id: string
  readonly title: InEveryLanguage<string>
  readonly benefits: readonly InEveryLanguage<string>[]
  readonly prices: Prices
}

/** Everything that can be bought. */
export interface Offer {
  /** In the operator's order; never empty, no id twice. */
  readonly gifts: readonly GiftPackage[]
  readonly invitation: InvitationPackage
}

/** A package's price in a currency, with the id that it is sold under. */
export function entryIn(prices: Prices, packageId: string, currency: Currency): PricingEntry {
  return { packageId, ...prices[currency] }
}

/** Every price at which a gift card is sold in this currency, whatever the price list. */
export function giftEntries({ gifts }: Pick<Offer, 'gifts'>, currency: Currency): PricingEntry[] {
  return gifts.flatMap(({ id, prices }) =>
    STRATEGY_IDS.map(strategy => entryIn(prices[strategy], id, currency)),
  )
}

/** What the package of this id is called; undefined where the offer has none. */
export function titleIn({ gifts, invitation }: Offer, id: string): InEveryLanguage<string> | undefined {
  return [...gifts, invitation].find(each => each.id === id)?.title
}

/** A price as pages carry it to their scripts: organisations' amount, support, multiplier. */
type BriefPrice = readonly [number, number, number]
export type BriefPrices = Readonly<Record<Currency, BriefPrice>>
/** The prices of every gift card, by price list and id. */
export type PriceLists = Readonly<Record<StrategyId, Readonly<Record<string, BriefPrices>>>>

/** Prices in the short form that pages carry. Amounts are in minor units. */
export const brief = (prices: Prices): BriefPrices =>
  Object.fromEntries(
    CURRENCIES.map(currency => {
      const { ngoAmount, supportAmount, multiplier } = prices[currency]
      return [currency, [ngoAmount, supportAmount, multiplier]]
    }),
  ) as unknown as BriefPrices

/** What a page's scripts need to know of the gift cards' prices. */
export const priceLists = ({ gifts }: Pick<Offer, 'gifts'>): PriceLists =>
  Object.fromEntries(
    STRATEGY_IDS.map(strategy => [
      strategy,
      Object.fromEntries(gifts.map(({ id, prices }) => [id, brief(prices[strategy])])),
    ]),
  ) as unknown as PriceLists

/** The same price as text. */
export function briefEntry(prices: BriefPrices, packageId: string, currency: Currency): PricingEntry {
  const [ngoAmount, supportAmount, multiplier] = prices[currency]
  return { packageId, ngoAmount, supportAmount, multiplier }
}

/** Is this what `brief` makes? What somebody wrote into their browser by hand may be anything. */
export function isBriefPrices(value: unknown): value is BriefPrices {
  if (typeof value !== 'object' || value === null) return false
  return CURRENCIES.every(currency => {
    const price = (value as Partial<Record<Currency, unknown>>)[currency]
    if (!Array.isArray(price) || price.length !== 3) return false
    const [ngoAmount, supportAmount, multiplier] = price as readonly unknown[]
    return (
      Number.isSafeInteger(ngoAmount) &&
      (ngoAmount as number) > 0 &&
      Number.isSafeInteger(supportAmount) &&
      (supportAmount as number) >= 0 &&
      Number.isFinite(multiplier) &&
      (multiplier as number) > 0
    )
  })
}
