import type { EntryVisitor } from '#domain/campaign/entry.ts'
import { type EntryFacts, isShortSlides, mergeEntries } from '#domain/campaign/facts.ts'
import type { VisitorOrigin } from '#domain/pricing/card-orders.ts'
import { $consent, browserRefuses, readAnswer } from '#screens/shared/consent/consent.store.ts'
import { pollState } from '#screens/shared/polls/polls.store.ts'
import { FLAG, fallbackStorage, persisted } from '#screens/shared/storage/persisted.ts'
import { tabChoice } from '#screens/shared/storage/tab.ts'
import {
  CAME_FROM_RECEIVER_KEY,
  DEVELOPER_KEY,
  SESSION_COUNTED_KEY,
  SESSIONS_KEY,
} from '#wire/browser-names.ts'
import { $keptFacts, entryFacts, NOTHING, waitingFacts } from './entry-facts.store.ts'
import { cameFromReceiver, isNoted } from './visit-flags.store.ts'

const counted = tabChoice<boolean>(SESSION_COUNTED_KEY, FLAG)

/** Is the developer's panel shown? A setting that the visitor made. */
export const $developer = persisted<boolean>(DEVELOPER_KEY, false, FLAG)

/** The number of visits counts to here (product.md#waits-and-motion). */
export const MOST_SESSIONS = 2

/** How many browser sessions this visitor has had, as far as it matters. */
export const $sessions = persisted<number>(SESSIONS_KEY, 0, {
  read: text => (/^[12]$/.test(text) ? Number(text) : undefined),
  write: count => (count === 0 ? undefined : String(count)),
})

/**
 * May what was learned of a visitor outlive the tab? Not before the consent question is answered, nor after a
 * plain no (product.md#entry, product.md#privacy). Blocked storage never outlives it.
 */
function mayKeep(): boolean {
  const choice = $consent.get()?.choice
  return fallbackStorage !== undefined || choice === 'all' || choice === 'reject-optional'
}

/** Notes what a link says. It waits in the tab until it may be kept; an answer that allows it moves it there. */
export function noteEntry(facts: EntryFacts): EntryFacts {
  const merged = mergeEntries(entryFacts(), facts)
  if (!mayKeep()) {
    waitingFacts.set(merged)
    $keptFacts.set(NOTHING)
    $sessions.set(0)
    return merged
  }
  waitingFacts.set(undefined)
  $keptFacts.set(merged)
  if (!counted.get()) $sessions.set(Math.min(MOST_SESSIONS, $sessions.get() + 1))
  counted.set(true)
  return merged
}

/** Everything that the redirect order asks of this visitor. */
export function entryVisitor(): EntryVisitor {
  return {
    ...entryFacts(),
    ...pollState(),
    consentAnswered: readAnswer() !== undefined || browserRefuses(),
  }
}

/** Straight to the packages, or the whole introduction? */
export function isShortVisitor(): boolean {
  return isShortSlides(entryFacts(), cameFromReceiver.get())
}

/** Where the visitor comes from, as the order of the cards and their wording ask. */
export function visitorOrigin(): VisitorOrigin {
  return isNoted(CAME_FROM_RECEIVER_KEY) || entryFacts().referred ? 'receiver-or-referred' : 'other'
}
