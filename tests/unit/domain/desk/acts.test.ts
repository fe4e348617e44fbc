import { describe, expect, it } from 'vitest'
import { type ActRefusal, type RefundAsked, type Refundable, refundRefusal } from '#domain/desk/acts.ts'

const asked: RefundAsked = { amount: 6_500, currency: 'EUR', left: 6_500 }
const now: Refundable = { left: 6_500, currency: 'EUR', isDisputed: false, isWithdrawn: false }

describe('a refund by the operator', () => {
  it('is of the whole that is left, or of a part', () => {
    expect(refundRefusal(asked, now)).toBeUndefined()
    expect(refundRefusal({ ...asked, amount: 1 }, now)).toBeUndefined()
  })

  it.each<[string, Partial<RefundAsked>, Partial<Refundable>, ActRefusal]>([
    ['more than is left', { amount: 6_501 }, {}, 'amount'],
    ['more than is left of its one card', { amount: 3_001 }, { leftOfCard: 3_000 }, 'amount'],
    ['nothing', { amount: 0 }, {}, 'amount'],
    ['less than nothing', { amount: -1 }, {}, 'amount'],
    ['a part of a cent', { amount: 0.5 }, {}, 'amount'],
    ['another currency', { currency: 'USD' }, {}, 'currency'],
    ['a payment of which a part went back since', {}, { left: 6_000 }, 'changed'],
    ['a disputed payment, which would go back twice', {}, { isDisputed: true }, 'disputed'],
    ['a payment that a withdrawal gives back', {}, { isWithdrawn: true }, 'withdrawal-under-way'],
  ])('is never of %s', (_, of, state, refusal) => {
    expect(refundRefusal({ ...asked, ...of }, { ...now, ...state })).toBe(refusal)
  })
})
