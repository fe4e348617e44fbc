import { describe, expect, it } from 'vitest'
import { CARD_ORDERS, drawCardOrder, type VisitorOrigin } from '#domain/pricing/card-orders.ts'
import { CARD_KINDS } from '#domain/pricing/packages.ts'
import { seededRandom } from '#tests/builders/domain.ts'

/** The orders of the specification, and how many of a hundred visitors see each. */
const specified: Readonly<Record<VisitorOrigin, Readonly<Record<string, number>>>> = {
  'receiver-or-referred': {
    'chain food water homes lives volunteering help-us': 90,
    'chain help-us food water homes lives volunteering': 10,
  },
  other: {
    'chain try lives homes water food volunteering help-us': 30,
    'try food water homes lives volunteering help-us': 20,
    'try help-us chain food water homes lives volunteering': 20,
    'try chain homes food water lives volunteering help-us': 30,
  },
}
const origins = Object.keys(specified) as VisitorOrigin[]

describe('the order of the cards', () => {
  it.each(origins)('for %s comes as often as specified, within a hundredth of 100,000 draws', origin => {
    const random = seededRandom(20_260_101)
    const seen = new Map<string, number>()
    for (let draw = 0; draw < 100_000; draw++) {
      const order = drawCardOrder({ origin, campaign: false }, random).join(' ')
      seen.set(order, (seen.get(order) ?? 0) + 1)
    }
    expect([...seen.keys()].sort()).toEqual(Object.keys(specified[origin]).sort())
    for (const [order, percent] of Object.entries(specified[origin])) {
      expect(Math.abs(seen.get(order)! / 100_000 - percent / 100)).toBeLessThan(0.01)
    }
  })

  it.each(origins)('for %s puts the free card first for campaign visitors, in every order', origin => {
    for (let tenth = 0; tenth < 10; tenth++) {
      const random = () => tenth / 10
      const usual = drawCardOrder({ origin, campaign: false }, random)
      expect(drawCardOrder({ origin, campaign: true }, random)).toEqual(['free', ...usual])
      expect(usual).not.toContain('free')
    }
  })

  it('shows no try card to receivers and referred visitors', () => {
    expect(CARD_ORDERS['receiver-or-referred'].flatMap(({ kinds }) => kinds)).not.toContain('try')
  })

  it('shows no kind twice, and only known ones', () => {
    for (const { kinds } of Object.values(CARD_ORDERS).flat()) {
      expect(new Set(kinds).size).toBe(kinds.length)
      expect(kinds.every(kind => CARD_KINDS.includes(kind))).toBe(true)
    }
  })

  it('places or leaves out each kind but the free one, once', () => {
    for (const { kinds, without } of Object.values(CARD_ORDERS).flat())
      expect([...kinds, ...without, 'free'].sort()).toEqual([...CARD_KINDS].sort())
  })

  it('draws from the whole range of chance', () => {
    const drawn = (chance: number) => drawCardOrder({ origin: 'other', campaign: false }, () => chance)[1]
    expect([0, 0.2999, 0.31, 0.4999, 0.51, 0.6999, 0.71, 1 - 2 ** -53].map(drawn)).toEqual([
      'try',
      'try',
      'food',
      'food',
      'help-us',
      'help-us',
      'chain',
      'chain',
    ])
  })

  it('hands out a list of its own', () => {
    drawCardOrder({ origin: 'other', campaign: false }, () => 0).reverse()
    expect(drawCardOrder({ origin: 'other', campaign: false }, () => 0)[0]).toBe('chain')
  })
})
