import { describe, expect, it } from 'vitest'
import {
  FIRST_ORDER_STATE,
  isAwaited,
  isSold,
  ORDER_MOVES,
  ORDER_STATES,
  type OrderEvent,
  type OrderState,
  orderStatesOf,
  statesMovedBy,
} from '#domain/payment/order-states.ts'
import { pageOfUnpaid, UNPAID_SESSIONS } from '#domain/payment/unpaid-sessions.ts'

const states = Object.keys(ORDER_STATES) as OrderState[]
const events = Object.keys(ORDER_MOVES) as OrderEvent[]

describe('an order', () => {
  it.each<readonly [OrderEvent, readonly OrderState[], OrderState]>([
    ['paid', ['open', 'failed', 'expired'], 'paid'],
    ['failed', ['open'], 'failed'],
    ['expired', ['open'], 'expired'],
    ['replaced', ['open', 'failed', 'expired'], 'expired'],
  ])('that is %s moves from %j to %s and from nowhere else', (event, from, to) => {
    expect(statesMovedBy(event)).toEqual(from)
    expect(ORDER_MOVES[event].to).toBe(to)
  })

  it('once sold stays as it is', () => {
    for (const state of orderStatesOf('sold'))
      expect(events.filter(event => ORDER_MOVES[event].from[state])).toEqual([])
  })

  it('that is not sold yet becomes sold when its money arrives, however late', () => {
    expect(statesMovedBy('paid')).toEqual(states.filter(state => !isSold(state)))
    expect(isSold(ORDER_MOVES.paid.to)).toBe(true)
  })

  it('begins as one that can be paid', () => {
    expect(isAwaited(FIRST_ORDER_STATE)).toBe(true)
  })

  it('can be reached in every state', () => {
    const reached = new Set<OrderState>([FIRST_ORDER_STATE, ...events.map(event => ORDER_MOVES[event].to)])
    expect([...reached].sort()).toEqual([...states].sort())
  })
})

describe('a payment session that is not paid', () => {
  it('leads its order to the state that it names, or leaves it alone', () => {
    for (const [word, { event }] of Object.entries(UNPAID_SESSIONS))
      if (event === null) expect(['open', 'processing']).toContain(word)
      else expect(ORDER_MOVES[event].to).toBe(word)
  })

  it('is asked about again only while the money is on its way', () => {
    expect(Object.keys(UNPAID_SESSIONS).filter(word => pageOfUnpaid(word) === 'pending')).toEqual([
      'processing',
    ])
  })

  it.each([undefined, 'toString', 'whatever'])('whose word is %s offers to pay again', word => {
    expect(pageOfUnpaid(word)).toBe('unpaid')
  })
})
