import { describe, expect, it } from 'vitest'
import type { CardStatus } from '#domain/card/states.ts'
import {
  type ActRefusal,
  holdRefusal,
  type RefundAsked,
  type Refundable,
  type ReleasedCard,
  refundRefusal,
  releaseRefusal,
} from '#domain/desk/acts.ts'

const asked: RefundAsked = { amount: 6_500, currency: 'EUR', left: 6_500, used: false }
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

describe('a hold by the operator', () => {
  it.each<[string, readonly CardStatus[], ActRefusal | undefined]>([
    ['of a free card', ['active'], undefined],
    ['of what is held already', ['frozen'], undefined],
    ['of what was left to the draw, which gets nothing meanwhile', ['left'], undefined],
    ['of what was given back, whose refund may come back', ['revoked'], undefined],
    ['of many cards of which some are used', ['consumed', 'active', 'consumed'], undefined],
    ['of a used card is refused', ['consumed'], 'used'],
    ['of many cards that are all used is refused too', ['consumed', 'consumed'], 'used'],
    ['of none is refused', [], 'used'],
  ])('%s', (_, statuses, refusal) => {
    expect(holdRefusal(statuses.map(status => ({ status })))).toBe(refusal)
  })
})

describe('a release by the operator', () => {
  const free: ReleasedCard = { wasHeld: false, others: [] }
  const ours: ReleasedCard = { wasHeld: true, others: ['dispute'] }
  const held = (...others: ReleasedCard['others']): ReleasedCard => ({ wasHeld: false, others })

  it.each<[string, readonly ReleasedCard[], ActRefusal | undefined]>([
    ['of what nothing holds is none', [free, free], undefined],
    ['of what the operator holds ends that, whatever else holds it', [ours], undefined],
    ['of many cards ends what the operator holds of them', [held('refund'), ours], undefined],
    ['of a disputed card is refused', [held('dispute')], 'disputed'],
    ['of many cards of which one is disputed is refused too', [free, held('dispute')], 'disputed'],
    ['waits for a refund', [held('dispute', 'refund')], 'refund-under-way'],
    ['waits for a withdrawal', [held('withdrawal')], 'withdrawal-under-way'],
    ['of what is left to the draw for good is none', [held('draw')], undefined],
  ])('%s', (_, cards, refusal) => {
    expect(releaseRefusal(cards)).toBe(refusal)
  })
})
