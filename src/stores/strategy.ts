import type { Language } from '#domain/languages.ts'
import { STRATEGIES, type StrategyId, strategyForLanguage } from '#domain/pricing/strategies.ts'
import { oneOf, persisted } from './persisted.ts'

const isStrategyId = (text: unknown): text is StrategyId =>
  typeof text === 'string' && Object.hasOwn(STRATEGIES, text)

/** The visitor's pricing strategy, once one is settled (decisions §4). */
export const $strategy = persisted<StrategyId | undefined>('gift:strategy', undefined, oneOf(isStrategyId))

/** The strategy that prices a page: the visitor's own, else the language's. */
export function strategyFor(language: Language): StrategyId {
  return $strategy.get() ?? strategyForLanguage(language)
}
