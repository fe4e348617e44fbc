import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARD_STATUSES, type CardStatus } from '#domain/card/states.ts'
import { type ChargeFacts, reversalOf, statusFor } from '#server/payments/reversal-entries.ts'
import { count } from '#tests/support/counts.ts'

const sale = { ngo: 5_000, net: 1_185, tax: 315 }
const TOTAL = 6_500
const quiet: ChargeFacts = { refunded: 0, lostToDisputes: 0, isDisputed: false }

describe('the state that a charge gives its card', () => {
  it.each<[CardStatus, Partial<ChargeFacts>, CardStatus]>([
    ['active', {}, 'active'],
    ['active', { refunded: 1 }, 'active'],
    ['active', { refunded: TOTAL - 1 }, 'active'],
    ['active', { refunded: TOTAL }, 'revoked'],
    ['active', { isDisputed: true }, 'frozen'],
    ['active', { isDisputed: true, refunded: TOTAL }, 'revoked'],
    ['active', { lostToDisputes: TOTAL }, 'revoked'],
    ['active', { lostToDisputes: 1 }, 'revoked'],
    ['frozen', {}, 'active'],
    ['frozen', { isDisputed: true }, 'frozen'],
    ['frozen', { lostToDisputes: TOTAL }, 'revoked'],
    ['revoked', {}, 'active'],
    ['revoked', { refunded: 100 }, 'active'],
    ['revoked', { isDisputed: true }, 'frozen'],
    ['revoked', { refunded: TOTAL }, 'revoked'],
    ['consumed', { refunded: TOTAL }, 'consumed'],
    ['consumed', { isDisputed: true }, 'consumed'],
    ['consumed', { lostToDisputes: TOTAL }, 'consumed'],
  ])('of %s with %j is %s', (status, facts, next) => {
    expect(statusFor(status, { ...quiet, ...facts }, sale)).toBe(next)
  })
})

const amounts = fc.integer({ min: 0, max: 1_000_000 })
const anyCase = fc.record({
  status: fc.constantFrom(...CARD_STATUSES),
  sale: fc.record({ ngo: fc.integer({ min: 1, max: 1_000_000 }), net: amounts, tax: amounts }),
  facts: fc.record({ refunded: amounts, lostToDisputes: amounts, isDisputed: fc.boolean() }),
})

describe('what the books say of a reversal', () => {
  it('sums to zero, gives back at most what was paid, and settles in one step', () => {
    fc.assert(
      fc.property(anyCase, each => {
        const total = each.sale.ngo + each.sale.net + each.sale.tax
        const status = statusFor(each.status, each.facts, each.sale)
        const entries = reversalOf(status, each.facts, each.sale)
        expect(Object.values(entries).reduce((sum, amount) => sum + amount, 0)).toBe(0)
        expect(entries.refunds).toBe(Math.min(total, each.facts.refunded + each.facts.lostToDisputes))
        expect(entries.cards).toBe(status === 'revoked' ? -each.sale.ngo : 0)
        expect(statusFor(status, each.facts, each.sale)).toBe(status)
      }),
      { numRuns: count({ usual: 2_000, long: 100_000 }) },
    )
  })

  it('takes the whole sale back when the card was not used', () => {
    const entries = reversalOf('revoked', { ...quiet, refunded: TOTAL }, sale)
    expect(entries).toEqual({ refunds: TOTAL, cards: -5_000, support: -1_185, tax: -315, losses: 0 })
  })

  it('makes a gift already given the loss of the product', () => {
    const entries = reversalOf('consumed', { ...quiet, lostToDisputes: TOTAL }, sale)
    expect(entries).toEqual({ refunds: TOTAL, cards: 0, support: -1_185, tax: -315, losses: -5_000 })
  })

  it('makes a partial refund a loss, since the card stays whole', () => {
    const entries = reversalOf('active', { ...quiet, refunded: 700 }, sale)
    expect(entries).toEqual({ refunds: 700, cards: 0, support: 0, tax: 0, losses: -700 })
  })
})
