/**
 * Shares `total` (a whole number ≥ 0) in proportion to `weights` (whole numbers ≥ 0, not all 0) by the largest
 * remainder: every part is its exact share rounded down, and the units still missing go one each to the parts
 * that lost most; between equals, to the earlier one. The parts sum to `total` exactly.
 * Anything else is a fault of the caller: RangeError.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  if (!isCount(total) || !weights.every(isCount)) throw new RangeError('Totals and weights are whole numbers')
  // BigInt, since total × weight can leave the range in which numbers are exact.
  const sum = weights.reduce((subtotal, weight) => subtotal + BigInt(weight), 0n)
  if (sum === 0n) throw new RangeError('Something must weigh more than nothing')

  const shares = weights.map((weight, index) => {
    const exact = BigInt(total) * BigInt(weight)
    return { index, part: Number(exact / sum), remainder: exact % sum }
  })
  const parts = shares.map(({ part }) => part)
  const missing = total - parts.reduce((subtotal, part) => subtotal + part, 0)
  const byLoss = shares.toSorted((a, b) => compare(b.remainder, a.remainder) || a.index - b.index)
  for (const { index } of byLoss.slice(0, missing)) parts[index]! += 1
  return parts
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
