import { expect, it } from 'vitest'
import { grantTokens } from '#domain/limits/shared-tokens.ts'

const SECOND = 1_000_000
/** Ten at once, one more every tenth of a second. */
const RATE = { stepUs: SECOND / 10, burstUs: SECOND }
const NOW = 5_000 * SECOND

/** Takes one after the other and goes on with what is kept. */
function taking(known: number | undefined, at: readonly number[], wanted = 1) {
  let kept = known
  return at.map(now => {
    const { granted, nextAt, waitUs } = grantTokens(kept, now, wanted, RATE)
    kept = nextAt
    return granted > 0 ? granted : -waitUs
  })
}

it('grants what is saved up, then one after the other, and says how long the next one takes', () => {
  expect(taking(undefined, Array(12).fill(NOW))).toEqual([
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    1,
    -SECOND / 10,
    -SECOND / 10,
  ])
  expect(taking(NOW + SECOND, [NOW, NOW + SECOND / 20, NOW + SECOND / 10, NOW + SECOND / 10])).toEqual([
    -SECOND / 10,
    -SECOND / 20,
    1,
    -SECOND / 10,
  ])
})

it('grants a part of what is wanted, and saves up no more than the burst', () => {
  expect(taking(undefined, [NOW, NOW + SECOND / 2, NOW + 3_600 * SECOND], 100)).toEqual([10, 5, 10])
})

it('goes on at the same pace after a clock that steps back, and gives away no second burst', () => {
  const full = NOW + SECOND
  const back = NOW - 3_600 * SECOND
  expect(taking(full, [back, back + SECOND / 10, back + SECOND / 10], 100)).toEqual([
    -SECOND / 10,
    1,
    -SECOND / 10,
  ])
})
