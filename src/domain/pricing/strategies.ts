import type { Language } from '../languages.ts'
import type { PackageId } from './packages.ts'
import type { StrategyId } from './strategy-ids.ts'

export { isStrategyId, STRATEGY_IDS, type StrategyId } from './strategy-ids.ts'

/** What a package costs in one strategy; amounts in minor units, the same number in each currency. */
export interface PricingEntry<Id extends string = PackageId> {
  readonly packageId: Id
  /** What the organisations receive; the price of a package that gives them nothing. */
  readonly ngoAmount: number
  /** What the product receives before the slider is moved. */
  readonly supportAmount: number
  /** How far the support slider reaches. */
  readonly multiplier: number
}

/** The prices of the product (product.md#packages). */
export const STRATEGIES: Readonly<Record<StrategyId, readonly PricingEntry[]>> = {
  'tiktok-fr': [
    { packageId: 'keep the chain', ngoAmount: 200, supportAmount: 0, multiplier: 1 },
    { packageId: 'their food', ngoAmount: 2_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their water', ngoAmount: 5_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their homes', ngoAmount: 7_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their lifes', ngoAmount: 12_000, supportAmount: 0, multiplier: 1 },
  ],
  'tiktok-sp': [
    { packageId: 'keep the chain', ngoAmount: 200, supportAmount: 0, multiplier: 1 },
    { packageId: 'their food', ngoAmount: 2_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their water', ngoAmount: 5_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their homes', ngoAmount: 7_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their lifes', ngoAmount: 12_000, supportAmount: 0, multiplier: 1 },
  ],
  'tiktok-usa': [
    { packageId: 'keep the chain', ngoAmount: 500, supportAmount: 0, multiplier: 1 },
    { packageId: 'their food', ngoAmount: 5_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their water', ngoAmount: 10_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their homes', ngoAmount: 20_000, supportAmount: 0, multiplier: 1 },
    { packageId: 'their lifes', ngoAmount: 30_000, supportAmount: 0, multiplier: 1 },
  ],
}

const STRATEGY_OF_LANGUAGE: Readonly<Record<Language, StrategyId>> = {
  es: 'tiktok-sp',
  fr: 'tiktok-fr',
  en: 'tiktok-usa',
}

/** The strategy of a visitor whom no ad has given one (product.md#packages). */
export function strategyForLanguage(language: Language): StrategyId {
  return STRATEGY_OF_LANGUAGE[language]
}

/** A package's entry in a strategy; undefined only for an id that is no package's. */
export function entryOf(strategy: StrategyId, packageId: PackageId): PricingEntry
export function entryOf(strategy: StrategyId, packageId: string): PricingEntry | undefined
export function entryOf(strategy: StrategyId, packageId: string): PricingEntry | undefined {
  return STRATEGIES[strategy].find(entry => entry.packageId === packageId)
}
