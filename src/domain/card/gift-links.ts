import { DAY_MS } from '../durations.ts'
import { KEY_LENGTH, readKey } from './keys.ts'

/**
 * A gift's link has its key behind `#`, which no browser sends. The page behind the link trades the key for a handle:
 * the name under which this browser holds the key from then on (docs/decisions/0117-safe-links.md).
 */

/** No key has this letter, so a handle is never taken for one. */
export const HANDLE_MARK = '0'

/** As long as a key: a kept page has the same gaps for both. */
const HANDLE_SHAPE = new RegExp(`^${HANDLE_MARK}[a-z2-7]{${KEY_LENGTH - 1}}$`)

/** Could this text be a handle? Says nothing of whether a browser holds a key by it. */
export function isHandleShaped(text: string): boolean {
  return HANDLE_SHAPE.test(text)
}

/**
 * The key behind a name in an address: a handle stands for the key that is held by it, everything else for itself.
 * @param keyOf the key that a browser holds by a handle, undefined where it holds none
 */
export const keyNamed = (name: string, keyOf?: (handle: string) => string | undefined): string =>
  (isHandleShaped(name) ? keyOf?.(name) : undefined) ?? name

/** How long a browser holds a key. */
export const HELD_MS = 30 * DAY_MS

/** How many keys a browser holds; with one more the oldest goes. */
export const MOST_HELD = 8

/** Where a link may lead, other than to the beginning of the story: written behind its key. */
export const LINK_PLACES = ['passport', 'mission'] as const

export type LinkPlace = (typeof LINK_PLACES)[number]

/** What a link says of a gift. */
export interface GiftLink {
  readonly key: string
  readonly place?: LinkPlace
}

/** Longer than any link of ours, with the words of a message around it. */
export const LONGEST_LINK = 1_000

/**
 * The key in a link that somebody pasted, of whichever form, in a message or alone; or the key itself, as it may be
 * typed from paper.
 * @returns undefined where there is no key
 */
export function readGiftLink(written: string): GiftLink | undefined {
  if (written.length > LONGEST_LINK) return undefined
  const text = decoded(written)
  // First with spaces kept, since a key may be written in groups; then every word by itself.
  return linkIn(text.split(/[#/?=&]/)) ?? linkIn(text.split(/[\s#/?=&]+/))
}

function linkIn(words: readonly string[]): GiftLink | undefined {
  for (const [index, word] of words.entries()) {
    const key = readKey(word)
    if (key === undefined) continue
    const place = LINK_PLACES.find(known => words[index + 1]?.startsWith(known))
    return place === undefined ? { key } : { key, place }
  }
  return undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
