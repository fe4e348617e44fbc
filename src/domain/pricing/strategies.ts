import { entryFor, type Language, type TableByLanguage } from '../languages.ts'
import { type FirstPackageId, PACKAGE_IDS } from './packages.ts'
import type { StrategyId } from './strategy-ids.ts'

export { isStrategyId, STRATEGY_IDS, type StrategyId } from './strategy-ids.ts'

/** What a package costs in one strategy and currency; amounts in minor units. */
export interface PricingEntry {
  readonly packageId: string
  /** What the organisations receive; the price of a package that gives them nothing. */
  readonly ngoAmount: number
  /** What the product receives before the slider is moved. */
  readonly supportAmount: number
  /** How far the support slider reaches. */
  readonly multiplier: number
}

type Price = Omit<PricingEntry, 'packageId'>

/** A package whose support amount starts at 0 and whose slider reaches as far as usual. */
/* @__NO_SIDE_EFFECTS__ */
const price = (ngoAmount: number): Price => ({ ngoAmount, supportAmount: 0, multiplier: 1 })

const IN_EUROPE: Readonly<Record<FirstPackageId, Price>> = {
  'keep the chain': price(200),
  'their food': price(2_000),
  'their water': price(5_000),
  'their homes': price(7_000),
  'their lifes': price(12_000),
}

/** What each package of the first offer costs in each strategy, the same number in each currency (product.md#packages). */
const PRICES: Readonly<Record<StrategyId, Readonly<Record<FirstPackageId, Price>>>> = {
  'tiktok-fr': IN_EUROPE,
  'tiktok-sp': IN_EUROPE,
  'tiktok-usa': {
    'keep the chain': price(500),
    'their food': price(5_000),
    'their water': price(10_000),
    'their homes': price(20_000),
    'their lifes': price(30_000),
  },
}

/* @__NO_SIDE_EFFECTS__ */
const entriesOf = (strategy: StrategyId): readonly PricingEntry[] =>
  PACKAGE_IDS.map(packageId => ({ packageId, ...PRICES[strategy][packageId] }))

/** The same as lists, in the order of the packages. */
export const STRATEGIES: Readonly<Record<StrategyId, readonly PricingEntry[]>> = {
  'tiktok-fr': entriesOf('tiktok-fr'),
  'tiktok-sp': entriesOf('tiktok-sp'),
  'tiktok-usa': entriesOf('tiktok-usa'),
}

const STRATEGY_OF_LANGUAGE: TableByLanguage<StrategyId> = {
  es: 'tiktok-sp',
  fr: 'tiktok-fr',
  en: 'tiktok-usa',
}

/** The strategy of a visitor whom no ad has given one (product.md#packages). */
export function strategyForLanguage(language: Language): StrategyId {
  return entryFor(STRATEGY_OF_LANGUAGE, language)
}

/** The entry of a package of the first offer; undefined only for an id that is none of its. */
export function entryOf(strategy: StrategyId, packageId: FirstPackageId): PricingEntry
export function entryOf(strategy: StrategyId, packageId: string): PricingEntry | undefined
export function entryOf(strategy: StrategyId, packageId: string): PricingEntry | undefined {
  return STRATEGIES[strategy].find(entry => entry.packageId === packageId)
}
