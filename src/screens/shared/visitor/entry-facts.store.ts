import { readCampaign } from '#domain/campaign/campaigns.ts'
import { type EntryFacts, mergeEntries } from '#domain/campaign/facts.ts'
import { isStrategyId } from '#domain/pricing/strategy-ids.ts'
import { type Codec, persisted, persistentStorage, readFrom } from '#screens/shared/storage/persisted.ts'
import { tabChoice } from '#screens/shared/storage/tab.ts'
import { ENTRY_KEY, VISITOR_KEY } from '#wire/browser-names.ts'

/** Of a visitor who came by no link that says anything. */
export const NOTHING: EntryFacts = {}

/** Each fact is checked by itself: what somebody wrote there by hand is dropped, the rest stays. */
const FACTS: Codec<EntryFacts> = {
  read: text => {
    try {
      const { strategy, pollVisitor, campaign, referred } = JSON.parse(text) as Record<string, unknown>
      const known = readCampaign(campaign)
      return {
        ...(isStrategyId(strategy) && { strategy }),
        ...(pollVisitor === true && { pollVisitor }),
        ...(known && { campaign: known }),
        ...(referred === true && { referred }),
      }
    } catch {
      return undefined
    }
  },
  write: facts => (Object.keys(facts).length === 0 ? undefined : JSON.stringify(facts)),
}

/** What waits in the tab until it may be kept; after an answer that was given just now it is the newest. */
export const waitingFacts = tabChoice(ENTRY_KEY, FACTS)
/** What outlives the tab. */
export const $keptFacts = persisted<EntryFacts>(VISITOR_KEY, NOTHING, FACTS)

/** What is known of this visitor from the links they came by. */
export function entryFacts(): EntryFacts {
  return mergeEntries(
    readFrom(persistentStorage, VISITOR_KEY, FACTS) ?? NOTHING,
    waitingFacts.get() ?? NOTHING,
  )
}
