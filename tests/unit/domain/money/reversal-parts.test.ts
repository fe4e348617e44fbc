import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CardStatus } from '#domain/card/states.ts'
import { factsOfCards, isUnclear, leftOfCard, type OrderBack } from '#domain/money/reversal-parts.ts'

/** 65 € a card: 50 € of credit, 15 € of support. */
const UNIT = { ngo: 5_000, net: 1_185, tax: 315 }
const NOTHING: OrderBack = { refunds: [], withdrawn: [], losses: [], openDisputes: [] }
const cards = (...states: readonly CardStatus[]) => states.map(status => ({ status }))
const FOUR = cards('active', 'active', 'active', 'active')

const refunded = (back: Partial<OrderBack>, of = FOUR) =>
  factsOfCards(UNIT, of, { ...NOTHING, ...back }).map(facts => facts.refunded)
const lost = (back: Partial<OrderBack>, of = FOUR) =>
  factsOfCards(UNIT, of, { ...NOTHING, ...back }).map(facts => facts.lostToDisputes)

describe('what went back of each card', () => {
  it('is of all alike where nothing is named, to the cent', () => {
    expect(refunded({ refunds: [{ amount: 26_000 }] })).toEqual([6_500, 6_500, 6_500, 6_500])
    expect(refunded({ refunds: [{ amount: 10 }] })).toEqual([3, 3, 2, 2])
    expect(lost({ losses: [{ amount: 4_000 }] })).toEqual([1_000, 1_000, 1_000, 1_000])
  })

  it('is of the cards that are named', () => {
    expect(refunded({ refunds: [{ amount: 13_000, cards: [1, 3] }] })).toEqual([0, 6_500, 0, 6_500])
    expect(lost({ losses: [{ amount: 6_500, cards: [2] }] })).toEqual([0, 0, 6_500, 0])
  })

  it('is of all once a card has all that it cost', () => {
    expect(refunded({ refunds: [{ amount: 8_000, cards: [0] }] })).toEqual([6_500, 500, 500, 500])
  })

  it('of a withdrawal is all of what was not used, and the support of the rest', () => {
    const of = cards('cancelling', 'consumed', 'revoked', 'consumed')
    expect(refunded({ withdrawn: [{ amount: 2 * 6_500 + 2 * 1_500 }] }, of)).toEqual([
      6_500, 1_500, 6_500, 1_500,
    ])
  })

  it('of a withdrawal that follows another refund is what that has left', () => {
    const of = cards('cancelling', 'consumed')
    const refunds = [{ amount: 1_000, cards: [1] }]
    expect(refunded({ refunds, withdrawn: [{ amount: 6_500 + 500 }] }, of)).toEqual([6_500, 1_500])
  })

  it('of withdrawals from some of them is of those, also where more went back of all before or since', () => {
    const of = cards('active', 'revoked', 'consumed', 'revoked')
    const withdrawn = [
      { amount: 6_500, cards: [1] },
      { amount: 6_500 + 1_500, cards: [3, 2] },
    ]
    expect(refunded({ withdrawn }, of)).toEqual([0, 6_500, 1_500, 6_500])
    // A refund of all alike came first: the withdrawal asked for what it had left of its card.
    const before = { refunds: [{ amount: 400 }], withdrawn: [{ amount: 6_400, cards: [1] }] }
    expect(refunded(before, of)).toEqual([100, 6_500, 100, 100])
    // Or it came afterwards: no card gets more than it cost, and the others get the rest.
    const since = { refunds: [{ amount: 400 }], withdrawn: [{ amount: 6_500, cards: [1] }] }
    expect(refunded(since, of)).toEqual([134, 6_500, 133, 133])
  })

  it('is all of a card once what was left of it is given back, wherever the odd cent was', () => {
    for (const place of [0, 1, 2, 3]) {
      const unnamed = { amount: 1_002 }
      const left = 6_500 - refunded({ refunds: [unnamed] })[place]!
      expect(refunded({ refunds: [unnamed, { amount: left, cards: [place] }] })[place]).toBe(6_500)
    }
  })

  it('of a withdrawal from a used card stays of that card, though more of it was given back by hand since', () => {
    const of = cards('consumed', 'consumed', 'active')
    const withdrawn = [{ amount: 1_500, cards: [0] }]
    const refunds = [{ amount: 2_500, cards: [0] }]
    expect(refunded({ withdrawn, refunds }, of)).toEqual([4_000, 0, 0])
    const both = [{ amount: 1_500 + 6_500, cards: [0, 2] }]
    expect(refunded({ withdrawn: both, refunds }, cards('consumed', 'consumed', 'revoked'))).toEqual([
      4_000, 0, 6_500,
    ])
    const supports = [{ amount: 3_000, cards: [0, 1] }]
    expect(refunded({ withdrawn: supports, refunds }, of)).toEqual([4_000, 1_500, 0])
    const byHand = [...refunds, { amount: 1_000, cards: [1] }]
    expect(refunded({ withdrawn: supports, refunds: byHand }, of)).toEqual([4_000, 2_500, 0])
  })

  it('is disputed where a dispute names it, or none', () => {
    const disputed = (openDisputes: OrderBack['openDisputes']) =>
      factsOfCards(UNIT, FOUR, { ...NOTHING, openDisputes }).map(({ isDisputed }) => isDisputed)
    expect(disputed([])).toEqual([false, false, false, false])
    expect(disputed([{ cards: [2] }])).toEqual([false, false, true, false])
    expect(disputed([{ cards: [2] }, {}])).toEqual([true, true, true, true])
  })

  const part = (size: number) =>
    fc.record(
      { amount: fc.nat(30_000), cards: fc.uniqueArray(fc.nat(size - 1), { minLength: 1 }) },
      { requiredKeys: ['amount'] },
    )
  const anything = fc.integer({ min: 1, max: 6 }).chain(size =>
    fc.record({
      of: fc.array(fc.constantFrom<CardStatus>('active', 'consumed', 'cancelling', 'revoked'), {
        minLength: size,
        maxLength: size,
      }),
      refunds: fc.array(part(size), { maxLength: 3 }),
      losses: fc.array(part(size), { maxLength: 3 }),
      withdrawn: fc.array(part(size), { maxLength: 3 }),
    }),
  )
  const sum = (parts: readonly { readonly amount: number }[]) =>
    parts.reduce((all, { amount }) => all + amount, 0)

  it('is all that went back, once, whatever is named', () => {
    fc.assert(
      fc.property(anything, ({ of, ...back }) => {
        const facts = factsOfCards(UNIT, cards(...of), { ...back, openDisputes: [] })
        const all = (kind: 'refunded' | 'lostToDisputes') =>
          facts.reduce((total, each) => total + each[kind], 0)
        expect(all('refunded')).toBe(sum(back.refunds) + sum(back.withdrawn))
        expect(all('lostToDisputes')).toBe(sum(back.losses))
        expect(facts.every(each => each.refunded >= 0 && each.lostToDisputes >= 0)).toBe(true)
      }),
    )
  })

  it('is more than a card cost only once every card has that', () => {
    fc.assert(
      fc.property(anything, ({ of, ...back }) => {
        const facts = factsOfCards(UNIT, cards(...of), { ...back, openDisputes: [] })
        const gone = facts.map(each => each.refunded + each.lostToDisputes)
        if (gone.some(amount => amount > 6_500)) expect(Math.min(...gone)).toBeGreaterThanOrEqual(6_500)
      }),
    )
  })

  it('is for an order of one what it is of the order', () => {
    fc.assert(
      fc.property(anything, ({ of, ...back }) => {
        const [first] = of
        const one = (parts: OrderBack['refunds']) => parts.map(({ amount }) => ({ amount }))
        const [facts] = factsOfCards(UNIT, cards(first!), {
          refunds: one(back.refunds),
          losses: one(back.losses),
          withdrawn: one(back.withdrawn),
          openDisputes: [],
        })
        expect(facts).toEqual({
          refunded: sum(back.refunds) + sum(back.withdrawn),
          lostToDisputes: sum(back.losses),
          isDisputed: false,
        })
      }),
    )
  })
})

describe('money that went back', () => {
  const unclear = (count: number, back: Partial<OrderBack>) => isUnclear(UNIT, count, { ...NOTHING, ...back })

  it('is unclear where it is a part and names no cards of many', () => {
    expect(unclear(4, { refunds: [{ amount: 1 }] })).toBe(true)
    expect(unclear(4, { losses: [{ amount: 1 }] })).toBe(true)
    expect(unclear(4, { refunds: [{ amount: 6_500, cards: [1] }, { amount: 1 }] })).toBe(true)
  })

  it('is clear where it names them, is all, is asked for by a withdrawal, or there is one card', () => {
    expect(unclear(4, {})).toBe(false)
    expect(unclear(4, { refunds: [{ amount: 1, cards: [1] }] })).toBe(false)
    expect(unclear(4, { refunds: [{ amount: 26_000 }] })).toBe(false)
    expect(unclear(4, { withdrawn: [{ amount: 6_500 }] })).toBe(false)
    expect(unclear(1, { refunds: [{ amount: 1 }] })).toBe(false)
  })
})

it.each<[string, 'whole' | 'support', CardStatus, boolean, number]>([
  ['all of a card', 'whole', 'active', false, 6_500],
  ['all of a single card, whatever it is', 'whole', 'consumed', false, 6_500],
  ['all of one of many that nobody used', 'whole', 'frozen', true, 6_500],
  ['the support of one of many that was used', 'whole', 'consumed', true, 1_500],
  ['the support where that is the answer', 'support', 'consumed', false, 1_500],
])('a withdrawal gives back %s', (_, answer, status, isOneOfMany, left) => {
  const nothing = { refunded: 0, lostToDisputes: 0 }
  expect(leftOfCard(answer, { status, isOneOfMany }, nothing, UNIT)).toBe(left)
})
