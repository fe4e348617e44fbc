/**
 * So many pieces of work may be under way at the database of one process, or wait for it, when a visitor asks for one more. It
 * does a few hundred a second: whoever comes as the last of these is served within about a second, and whoever came after
 * them would only make everybody late.
 */
export const MOST_WAITING = 250

/** Those who are refused at once do not come again at once. */
const LONGEST_S = 5

/**
 * May a visitor's work wait for the database?
 * @param waiting how much is under way or waits
 * @param chance 0 to 1, drawn for this visitor
 * @returns undefined where it may; else the seconds, from 1 on, after which they are to come again
 */
export function comeAgainAfter(waiting: number, chance: number): number | undefined {
  if (waiting < MOST_WAITING) return undefined
  return 1 + Math.min(Math.floor(chance * LONGEST_S), LONGEST_S - 1)
}
