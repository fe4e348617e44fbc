import { describe, expect, it } from 'vitest'
import { paidSets, payoutStatesMovedBy, unpaidRefusal } from '#domain/payout/payout-states.ts'

describe('a payout that was noted as paid by mistake', () => {
  it('goes back to waiting, from nowhere else', () => {
    expect(payoutStatesMovedBy('unpaid')).toEqual(['paid'])
  })

  it('has sets of its own in the books for each time', () => {
    const sets = [0, 1, 2].flatMap(time => Object.values(paidSets('id', time)))
    expect(sets.slice(0, 4)).toEqual([
      'payout-paid:id',
      'payout-unpaid:id',
      'payout-paid:id:2',
      'payout-unpaid:id:2',
    ])
    expect(new Set(sets).size).toBe(6)
  })

  it('stays paid where the bank or the organisation says so', () => {
    expect(unpaidRefusal({ isSeen: false, isReceived: false })).toBeUndefined()
    expect(unpaidRefusal({ isSeen: true, isReceived: true })).toBe('seen-at-bank')
    expect(unpaidRefusal({ isSeen: false, isReceived: true })).toBe('received')
  })
})
