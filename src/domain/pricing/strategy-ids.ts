/** The ways to price the packages, by the audience they were made for. */
export const STRATEGY_IDS = ['tiktok-fr', 'tiktok-sp', 'tiktok-usa'] as const

export type StrategyId = (typeof STRATEGY_IDS)[number]

/** Is this the name of a price list? */
export function isStrategyId(value: unknown): value is StrategyId {
  return (STRATEGY_IDS as readonly unknown[]).includes(value)
}
