import type { PollState } from '../polls/polls.ts'
import type { StrategyId } from '../pricing/strategy-ids.ts'
import { type Campaign, findCampaign } from './campaigns.ts'
import type { EntryFacts } from './facts.ts'
import { isShareRef } from './share.ts'

/** What an address says: facts about the visitor, and whether the developer's panel is shown. */
export interface Entry {
  readonly facts: EntryFacts
  readonly developer: boolean
}

/** The entries that choose a pricing strategy. They also mark the visitor as a poll visitor. */
export const POLL_ENTRIES: Readonly<Record<string, StrategyId>> = {
  sondage: 'tiktok-fr',
  poll: 'tiktok-usa',
  encuesta: 'tiktok-sp',
}

export const DEVELOPER_ENTRY = 'developer'

/**
 * Reads an entry: `param` is the one segment of the path, '' for none; `shareRef` the query's value. An unknown code
 * says nothing. Codes may be in upper or lower case.
 */
export function readEntry(
  { param, shareRef }: { readonly param: string; readonly shareRef?: string | null | undefined },
  campaigns: readonly Campaign[],
): Entry {
  const word = param.trim().toLowerCase()
  const strategy = Object.hasOwn(POLL_ENTRIES, word) ? POLL_ENTRIES[word] : undefined
  const developer = word === DEVELOPER_ENTRY
  const campaign = strategy || developer ? undefined : findCampaign(word, campaigns)
  return {
    developer,
    facts: {
      ...(strategy && { strategy, pollVisitor: true }),
      ...(campaign && { campaign }),
      ...(isShareRef(shareRef) && { referred: true }),
    },
  }
}

/** What the redirect order asks of a visitor. */
export interface EntryVisitor extends EntryFacts, PollState {
  readonly consentAnswered: boolean
}

export interface EntryRule {
  /** The screen's word in the path under `/intro`; `intro` is the splash. */
  readonly screen: string
  readonly applies: (visitor: EntryVisitor) => boolean
}

/** Where the entry leads, the first that applies (product.md#entry). The last always does. */
export const ENTRY_RULES: readonly EntryRule[] = [
  { screen: 'cookies-settings', applies: ({ consentAnswered }) => !consentAnswered },
  {
    screen: 'poll-ngo',
    applies: ({ pollVisitor, poll1Completed }) => pollVisitor === true && !poll1Completed,
  },
  {
    screen: 'poll-2-intro',
    applies: ({ pollVisitor, wantsPoll2 }) => pollVisitor === true && wantsPoll2 === undefined,
  },
  {
    screen: 'poll-2',
    applies: ({ wantsPoll2, poll2Completed }) => wantsPoll2 === true && !poll2Completed,
  },
  {
    screen: 'packages-donation',
    applies: ({ campaign }) => campaign !== undefined && campaign.source !== 'reddit',
  },
  { screen: 'intro', applies: () => true },
]

/** The screen that an entry leads to. */
export function entryScreen(visitor: EntryVisitor): string {
  const rule = ENTRY_RULES.find(({ applies }) => applies(visitor))
  return rule?.screen ?? 'intro'
}
