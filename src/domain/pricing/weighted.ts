/** Something that is drawn with this chance, in proportion to those of its neighbours. */
export interface Weighted {
  readonly probability: number
}

/**
 * Draws one of several in proportion to their probabilities, which need not sum to 1.
 * `random` gives numbers from 0 up to, not including, 1. A list without a chance is a fault: RangeError.
 */
export function drawWeighted<T extends Weighted>(choices: readonly T[], random: () => number): T {
  const possible = choices.filter(({ probability }) => probability > 0)
  const last = possible.at(-1)
  if (!last) throw new RangeError('Nothing to draw from')
  let left = random() * possible.reduce((sum, { probability }) => sum + probability, 0)
  for (const choice of possible) {
    left -= choice.probability
    if (left < 0) return choice
  }
  // Sums of fractions can leave a trace above the last one's share.
  return last
}
