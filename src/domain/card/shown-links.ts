import { DAY_MS } from '../durations.ts'

/**
 * How long the page after a payment or a claim shows the links of its card. It is long enough to load the page again,
 * and too short for somebody who finds an id in an old history, a log or a copy of the data.
 */
export const LINKS_SHOWN_MS = DAY_MS

/** The version of every new card's keys. Each replacement of its links raises it by one. */
export const FIRST_KEY_VERSION = 1

/**
 * A version says too which of the server's secrets the keys are made from: those of the first are below this number,
 * those of the next begin at it, and so on. No card's links are replaced so often.
 */
export const VERSIONS_OF_A_SECRET = 1_000_000

/** How often a card's links were replaced, whichever secret they are made from. */
export const turnOf = (keyVersion: number): number => keyVersion % VERSIONS_OF_A_SECRET

/**
 * Are a card's links shown to whoever only knows how they were got (a payment's session, the press of a claim)? Not
 * for longer than a day, and not once the links have been replaced: whoever replaces them shuts everybody else out.
 * @param since when the payment was settled, or the card was claimed, epoch ms
 * @param now epoch ms
 */
export function areLinksShown(
  { since, keyVersion }: { readonly since: number; readonly keyVersion: number },
  now: number,
): boolean {
  return turnOf(keyVersion) === FIRST_KEY_VERSION && Math.abs(now - since) < LINKS_SHOWN_MS
}
