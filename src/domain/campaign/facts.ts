import type { StrategyId } from '../pricing/strategy-ids.ts'
import type { Campaign } from './campaigns.ts'

/** What a visitor's first link says of them (product.md#entry). */
export interface EntryFacts {
  readonly strategy?: StrategyId
  readonly pollVisitor?: true
  readonly campaign?: Campaign
  /** Came through a link that somebody shared. */
  readonly referred?: true
}

/**
 * What is known of a visitor after another entry: a strategy once chosen stays, the newest campaign counts, and
 * who was a poll visitor or referred remains so.
 */
export function mergeEntries(before: EntryFacts, now: EntryFacts): EntryFacts {
  return { ...now, ...before, ...(now.campaign && { campaign: now.campaign }) }
}

/** Does the visitor get the short way (product.md#senders-flow)? `cameFromReceiver`: opened a gift before. */
export function isShortSlides({ campaign, referred }: EntryFacts, cameFromReceiver: boolean): boolean {
  return cameFromReceiver || referred === true || campaign !== undefined
}
