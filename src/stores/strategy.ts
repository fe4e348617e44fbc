import type { Language } from '#domain/languages.ts'
import { isStrategyId, type StrategyId, strategyForLanguage } from '#domain/pricing/strategies.ts'
import { choice } from './choice.ts'
import { entryFacts } from './entry-facts.ts'
import { oneOf } from './persisted.ts'

/** The visitor's pricing strategy, once one is settled (decisions §4). */
export const $strategy = choice<StrategyId | undefined>('gift:strategy', undefined, oneOf(isStrategyId))

/** The strategy that prices a page: the one settled, else the one the entry named, else the language's. */
export function strategyFor(language: Language): StrategyId {
  return $strategy.get() ?? entryFacts().strategy ?? strategyForLanguage(language)
}
