import { describe, expect, it } from 'vitest'
import {
  DISPUTE_STATES,
  disputeStateOf,
  isDeadlineNear,
  isDisputeOpen,
} from '#domain/payment/dispute-states.ts'

describe('a dispute', () => {
  it.each([
    ['needs_response', 'to-answer'],
    ['warning_needs_response', 'to-answer'],
    ['under_review', 'with-bank'],
    ['warning_under_review', 'with-bank'],
    ['won', 'won'],
    ['lost', 'lost'],
    ['warning_closed', 'closed'],
    ['prevented', 'closed'],
    ['a word of next year', 'to-answer'],
  ])('that is “%s” at the provider is %s', (status, state) => {
    expect(disputeStateOf(status)).toBe(state)
  })

  it('holds its card until somebody has decided', () => {
    expect(DISPUTE_STATES.filter(isDisputeOpen)).toEqual(['to-answer', 'with-bank'])
  })

  it('is told of once more three days before its last day', () => {
    const day = 24 * 3_600_000
    expect([2 * day, 3 * day, 3 * day + 1].map(left => isDeadlineNear(left, 0))).toEqual([true, true, false])
    expect(isDeadlineNear(null, 0)).toBe(false)
  })
})
