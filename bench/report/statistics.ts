/** Small numbers about lists of numbers. All give NaN for an empty list. */

/** The value below which `share` (0–1) of the values lie, between neighbours where it falls between them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const [low = Number.NaN, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  // Not low + (high − low) × …: that is NaN between two infinities.
  return low === high ? low : low + (high - low) * (place - Math.floor(place))
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The smallest value that at least `share` of the values do not exceed: for the slowest few of many. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** How far the middle half of the values reaches, as a share of their median: 0.1 is ten per cent. */
export function spread(values: readonly number[]): number {
  const middle = median(values)
  return middle === 0 ? 0 : (quantile(values, 0.75) - quantile(values, 0.25)) / middle
}

/** The longest that anybody came in after somebody who had arrived later, s. */
export function overtaken(admitted: readonly { readonly number: number; readonly at: number }[]): number {
  let earliestLater = Number.POSITIVE_INFINITY
  let longest = 0
  for (const { at } of admitted.toSorted((one, other) => other.number - one.number)) {
    longest = Math.max(longest, at - earliestLater)
    earliestLater = Math.min(earliestLater, at)
  }
  return longest
}
