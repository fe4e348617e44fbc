import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOLD_REASONS, type HoldReason, heldStatus } from '#domain/card/holds.ts'
import { CARD_MOVES, CARD_STATUSES, type CardStatus } from '#domain/card/states.ts'
import { supportLeft } from '#domain/money/reversal.ts'
import { withdrawalEndsAt } from '#domain/withdrawal/period.ts'
import {
  ANSWER_BY_CARD,
  firstWithdrawalState,
  holdsCard,
  isRefunded,
  isSupportBack,
  isUnfinished,
  WITHDRAWAL_ANSWERS,
  WITHDRAWAL_STATES,
  type WithdrawalAnswer,
  type WithdrawalNews,
  type WithdrawalState,
  type WithdrawnPurchase,
  withdrawalAfter,
  withdrawalAnswer,
} from '#domain/withdrawal/withdrawal.ts'

const bought: WithdrawnPurchase = {
  order: 'sold',
  card: 'active',
  isBookTaken: false,
  support: 1_500,
  supportLeft: 1_500,
  statedAt: 10,
  endsAt: 11,
}

describe('a withdrawal is answered', () => {
  it.each<[string, Partial<WithdrawnPurchase>, WithdrawalAnswer]>([
    ['with everything while the card is unused', {}, 'whole'],
    ['with everything while a dispute or the operator holds it', { card: 'frozen' }, 'whole'],
    ['with everything while it is being cancelled', { card: 'cancelling' }, 'whole'],
    ['with the support once it is used', { card: 'consumed' }, 'support'],
    ['with nothing where it is used and nothing was added', { card: 'consumed', support: 0 }, 'used'],
    ['with the support once it was left to the draw', { card: 'left' }, 'support'],
    ['with the support once the book was downloaded', { isBookTaken: true }, 'support'],
    ['with nothing then where nothing was added', { isBookTaken: true, support: 0 }, 'used'],
    ['by what went back before', { card: 'revoked' }, 'given-back'],
    ['by the support that went back before', { card: 'consumed', supportLeft: 0 }, 'given-back'],
    ['with nothing after its last instant', { statedAt: 11 }, 'too-late'],
    ['with nothing for a used one after it', { card: 'consumed', statedAt: 12 }, 'too-late'],
    ['by what went back, also after it', { card: 'revoked', statedAt: 12 }, 'given-back'],
    ['with everything before the payment has arrived', { order: 'awaited', card: undefined }, 'whole'],
    ['with nothing where nothing was paid', { order: 'over', card: undefined }, 'unpaid'],
    ['with nothing where a sold order lacks its card', { card: undefined }, 'given-back'],
  ])('%s', (_, changes, answer) => {
    expect(withdrawalAnswer({ ...bought, ...changes })).toBe(answer)
  })

  it('by a table that knows every state of a card', () => {
    expect(Object.keys(ANSWER_BY_CARD).sort()).toEqual([...CARD_STATUSES].sort())
  })
})

describe('a withdrawal', () => {
  it.each(WITHDRAWAL_ANSWERS)('that is answered with %s begins as it must', answer => {
    expect(firstWithdrawalState(answer, true)).toBe(isRefunded(answer) ? 'waiting' : 'closed')
    expect(firstWithdrawalState(answer, false)).toBe(isRefunded(answer) ? 'refunding' : 'closed')
  })

  const quiet: WithdrawalNews = { isBack: false, isDisputed: false, refund: 'none' }
  it.each<[WithdrawalState, Partial<WithdrawalNews>, WithdrawalState]>([
    ['waiting', {}, 'refunding'],
    ['waiting', { isDisputed: true }, 'waiting'],
    ['waiting', { isBack: true }, 'closed'],
    ['refunding', {}, 'refunding'],
    ['refunding', { isDisputed: true }, 'waiting'],
    ['refunding', { refund: 'made', isBack: true }, 'refunded'],
    ['refunding', { refund: 'failed' }, 'failed'],
    ['refunding', { isBack: true }, 'closed'],
    ['refunded', { refund: 'made', isBack: true }, 'refunded'],
    ['refunded', { refund: 'made' }, 'refunding'],
    ['refunded', { refund: 'made', isDisputed: true }, 'waiting'],
    ['refunded', { refund: 'failed' }, 'failed'],
    ['refunded', { refund: 'none', isDisputed: true }, 'refunded'],
    ['failed', {}, 'failed'],
    ['failed', { refund: 'failed' }, 'failed'],
    ['failed', { isBack: true }, 'closed'],
    ['closed', { refund: 'made' }, 'closed'],
  ])('that is %s becomes, with %j, %s', (state, news, next) => {
    expect(withdrawalAfter(state, { ...quiet, ...news })).toBe(next)
  })

  it('comes to rest in one look, whatever it is told', () => {
    const news = fc.record({
      isBack: fc.boolean(),
      isDisputed: fc.boolean(),
      refund: fc.constantFrom<WithdrawalNews['refund']>('none', 'made', 'failed'),
    })
    fc.assert(
      fc.property(fc.constantFrom(...WITHDRAWAL_STATES), news, (state, told) => {
        const next = withdrawalAfter(state, told)
        expect(withdrawalAfter(next, told)).toBe(next)
      }),
    )
  })

  it('keeps its card from being used exactly while all of it is to go back, or is back', () => {
    for (const state of WITHDRAWAL_STATES)
      for (const answer of WITHDRAWAL_ANSWERS) {
        const goesBack = isUnfinished(state) || state === 'refunded'
        expect(holdsCard(state, answer)).toBe(answer === 'whole' && goesBack)
      }
  })

  it('from the support alone is no loss once the support is back', () => {
    const sale = { ngo: 5_000, net: 1_185, tax: 315 }
    const left = (refunded: number, lostToDisputes: number) => supportLeft({ refunded, lostToDisputes }, sale)
    expect([left(0, 0), left(700, 0), left(6_500, 0), left(0, 1_300), left(1_200, 1_300)]).toEqual([
      1_500, 800, 0, 1_200, 0,
    ])
    expect(isSupportBack('support', left(1_499, 0))).toBe(false)
    expect(isSupportBack('support', left(1_500, 0))).toBe(true)
    expect(isSupportBack('whole', left(6_500, 0))).toBe(false)
    expect(isSupportBack(undefined, left(6_500, 0))).toBe(false)
  })
})

describe('the reasons of a card to be held', () => {
  it.each<[readonly HoldReason[], CardStatus]>([
    [[], 'active'],
    [['dispute'], 'frozen'],
    [['operator'], 'frozen'],
    [['refund'], 'frozen'],
    [['refund', 'operator'], 'frozen'],
    [['refund', 'withdrawal', 'draw'], 'frozen'],
    [['withdrawal'], 'cancelling'],
    [['withdrawal', 'dispute'], 'frozen'],
    [['withdrawal', 'operator'], 'frozen'],
    [['dispute', 'operator'], 'frozen'],
    [['dispute', 'operator', 'withdrawal'], 'frozen'],
    [['draw'], 'left'],
    [['draw', 'withdrawal'], 'cancelling'],
    [['draw', 'dispute'], 'frozen'],
  ])('%j make it %s, from whichever state it was in', (reasons, status) => {
    for (const before of ['active', 'frozen', 'cancelling'] as const)
      expect(heldStatus(before, reasons)).toBe(status)
  })

  it('change nothing of what is used or revoked', () => {
    for (const status of ['consumed', 'revoked'] as const)
      for (const reason of HOLD_REASONS) expect(heldStatus(status, [reason])).toBe(status)
  })

  it('keep it from being used while any of them stands', () => {
    fc.assert(
      fc.property(fc.subarray([...HOLD_REASONS], { minLength: 1 }), reasons => {
        expect(CARD_MOVES[heldStatus('active', reasons)].redeemed).toBe('refused')
      }),
    )
  })
})

describe('the last day', () => {
  const at = (text: string) => Date.parse(text)
  it.each([
    // A Monday: the fourteenth day after it is a Monday too.
    ['2026-11-02T09:00:00Z', 14, '2026-11-16T23:00:00Z'],
    // Half an hour before midnight in Madrid is still that day.
    ['2026-11-02T22:30:00Z', 14, '2026-11-16T23:00:00Z'],
    ['2026-11-02T23:30:00Z', 14, '2026-11-17T23:00:00Z'],
    // A Saturday and a Sunday move to the Monday.
    ['2026-11-07T09:00:00Z', 14, '2026-11-23T23:00:00Z'],
    ['2026-11-08T09:00:00Z', 14, '2026-11-23T23:00:00Z'],
    // Over the change to summer time, and with the longest setting.
    ['2027-03-16T09:00:00Z', 14, '2027-03-30T22:00:00Z'],
    ['2026-11-02T09:00:00Z', 30, '2026-12-02T23:00:00Z'],
  ])('of a purchase on %s with %i days ends at %s', (boughtAt, days, end) => {
    expect(new Date(withdrawalEndsAt(at(boughtAt), days)).toISOString()).toBe(end.replace('Z', '.000Z'))
  })
})
