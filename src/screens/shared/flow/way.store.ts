import type { Way } from '#domain/sender/flow.ts'
import { tabChoice } from '#screens/shared/storage/tab.ts'
import { WAY_KEY } from '#wire/browser-names.ts'

const isWay = (text: string): text is Way => text === 'long' || text === 'short'

const way = tabChoice<Way>(WAY_KEY, {
  read: text => (isWay(text) ? text : undefined),
  write: text => text,
})

/** The way the visitor takes; who came straight to a screen of the flow takes the short one. */
export function currentWay(): Way {
  return way.get() ?? 'short'
}

/** Remembers the way for this browser session (the page's first script reads it too). */
export function setWay(next: Way): void {
  way.set(next)
}
