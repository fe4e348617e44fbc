import { expect, it } from 'vitest'
import { isRefundUnderWay } from '#domain/card/holds.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/durations.ts'

const NOW = Date.UTC(2026, 10, 27)

it('a refund is under way for ten minutes, and no longer where a clock was put back', () => {
  const begun = [0, -10 * MINUTE_MS + 1, -10 * MINUTE_MS, MINUTE_MS, HOUR_MS]
  expect(begun.map(ms => isRefundUnderWay(NOW + ms, NOW))).toEqual([true, true, false, true, false])
})
