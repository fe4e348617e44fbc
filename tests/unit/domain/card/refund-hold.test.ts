import { expect, it } from 'vitest'
import { isRefundUnderWay, takesHold } from '#domain/card/holds.ts'
import { CARD_STATUSES } from '#domain/card/states.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/durations.ts'

const NOW = Date.UTC(2026, 10, 27)

it('a refund is under way for ten minutes, and no longer where a clock was put back', () => {
  const begun = [0, -10 * MINUTE_MS + 1, -10 * MINUTE_MS, MINUTE_MS, HOUR_MS]
  expect(begun.map(ms => isRefundUnderWay(NOW + ms, NOW))).toEqual([true, true, false, true, false])
})

it('a hold is for whatever may be used, now or once a refund has come back, and for nothing that was used', () => {
  expect(CARD_STATUSES.filter(status => !takesHold(status))).toEqual(['consumed'])
})
