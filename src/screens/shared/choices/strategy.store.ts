import type { Language } from '#domain/languages.ts'
import { isStrategyId, type StrategyId, strategyForLanguage } from '#domain/pricing/strategies.ts'
import { $consent } from '#screens/shared/consent/consent.store.ts'
import { oneOf, writeTo } from '#screens/shared/storage/persisted.ts'
import { choicesOfTab } from '#screens/shared/storage/tab.ts'
import { entryFacts } from '#screens/shared/visitor/entry-facts.store.ts'
import { STRATEGY_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

/** How a price list is kept. */
export const STRATEGY = oneOf(isStrategyId)

/** The visitor's pricing strategy, once one is settled. */
export const $strategy = choice<StrategyId | undefined>(STRATEGY_KEY, undefined, STRATEGY)

/**
 * Notes the price list that this visitor has seen. No later change of language and no later link changes it. After a
 * plain no to the consent question, a list that was only seen is noted in the tab alone; a chosen one is kept like
 * any choice.
 */
export function settleStrategy(strategy: StrategyId): void {
  const seen = $strategy.get() ?? strategy
  if ($consent.get()?.choice === 'reject') writeTo(choicesOfTab(), STRATEGY_KEY, STRATEGY, seen)
  else $strategy.set(seen)
}

/** The strategy that prices a page: the one settled, else the one the entry named, else the language's. */
export function strategyFor(language: Language): StrategyId {
  return $strategy.get() ?? entryFacts().strategy ?? strategyForLanguage(language)
}
