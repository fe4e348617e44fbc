import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CARD_STATUSES, type CardStatus } from '#domain/card/states.ts'
import { type ChargeFacts, reversalOf, shareOfLost, statusFor, takenOffCard } from '#domain/money/reversal.ts'
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
    ['active', { lostToDisputes: 1 }, 'active'],
    ['active', { lostToDisputes: TOTAL - 1, refunded: 1 }, 'revoked'],
    ['active', { lostToDisputes: 1, isDisputed: true }, 'frozen'],
    ['frozen', { lostToDisputes: 1 }, 'active'],
    ['consumed', { lostToDisputes: 1 }, 'consumed'],
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
const aSale = fc.record({ ngo: fc.integer({ min: 1, max: 1_000_000 }), net: amounts, tax: amounts })
const anyCase = fc.record({
  status: fc.constantFrom(...CARD_STATUSES),
  sale: aSale,
  facts: fc.record({ refunded: amounts, lostToDisputes: amounts, isDisputed: fc.boolean() }),
  before: fc.nat(1_000_000),
})

describe('what the books say of a reversal', () => {
  it('sums to zero, gives back at most what was paid, and settles in one step', () => {
    fc.assert(
      fc.property(anyCase, each => {
        const total = each.sale.ngo + each.sale.net + each.sale.tax
        const before = Math.min(each.before, each.sale.ngo - 1)
        const status = statusFor(each.status, each.facts, each.sale)
        const taken = takenOffCard(status, each.facts, each.sale, before)
        const entries = reversalOf(status, each.facts, each.sale, taken)
        expect(Object.values(entries).reduce((sum, amount) => sum + amount, 0)).toBe(0)
        expect(entries.refunds).toBe(Math.min(total, each.facts.refunded + each.facts.lostToDisputes))
        expect(entries.cards + 0).toBe(0 - (status === 'revoked' ? each.sale.ngo : taken))
        expect(statusFor(status, each.facts, each.sale)).toBe(status)
        expect(takenOffCard(status, each.facts, each.sale, taken)).toBe(taken)
        if (status === 'consumed') expect(taken).toBe(before)
        if (entries.refunds === total) {
          expect(each.sale.net + entries.support).toBe(0)
          expect(each.sale.tax + entries.tax).toBe(0)
        }
      }),
      { numRuns: count({ usual: 2_000, long: 100_000 }) },
    )
  })

  it('takes the whole sale back when the card was not used', () => {
    const entries = reversalOf('revoked', { ...quiet, refunded: TOTAL }, sale, 0)
    expect(entries).toEqual({ refunds: TOTAL, cards: -5_000, support: -1_185, tax: -315, losses: 0 })
  })

  it('makes a gift already given the loss of the product', () => {
    const entries = reversalOf('consumed', { ...quiet, lostToDisputes: TOTAL }, sale, 0)
    expect(entries).toEqual({ refunds: TOTAL, cards: 0, support: -1_185, tax: -315, losses: -5_000 })
  })

  it('makes a partial refund a loss, since the card stays whole', () => {
    const entries = reversalOf('active', { ...quiet, refunded: 700 }, sale, 0)
    expect(entries).toEqual({ refunds: 700, cards: 0, support: 0, tax: 0, losses: -700 })
  })

  it('takes a part that a dispute lost off the credit, the support and the tax alike', () => {
    expect(shareOfLost(1_300, sale)).toEqual({ ngo: 1_000, net: 237, tax: 63 })
    const entries = reversalOf('active', { ...quiet, lostToDisputes: 1_300 }, sale, 1_000)
    expect(entries).toEqual({ refunds: 1_300, cards: -1_000, support: -237, tax: -63, losses: 0 })
  })

  it('makes the card’s share of a lost part the loss of the product, once the card was given', () => {
    const entries = reversalOf('consumed', { ...quiet, lostToDisputes: 1_300 }, sale, 0)
    expect(entries).toEqual({ refunds: 1_300, cards: 0, support: -237, tax: -63, losses: -1_000 })
  })
})

describe('the share of a lost part', () => {
  it('is all of the part, grows with it, takes no more than was sold, and leaves a credit above 0', () => {
    fc.assert(
      fc.property(aSale, fc.nat(3_000_000), fc.nat(1_000), (each, lost, more) => {
        const total = each.ngo + each.net + each.tax
        const share = shareOfLost(lost, each)
        expect(share.ngo + share.net + share.tax).toBe(Math.min(lost, total))
        for (const part of ['ngo', 'net', 'tax'] as const) {
          expect(share[part]).toBeGreaterThanOrEqual(0)
          expect(share[part]).toBeLessThanOrEqual(each[part])
        }
        expect(shareOfLost(lost + more, each).ngo).toBeGreaterThanOrEqual(share.ngo)
        if (lost < total) expect(share.ngo).toBeLessThan(each.ngo)
      }),
      { numRuns: count({ usual: 2_000, long: 100_000 }) },
    )
  })
})
