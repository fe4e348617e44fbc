import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberOfCard, partOfCard, readNamedCards, statusOfPurchase } from '#domain/card/batch.ts'
import type { CardStatus } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'

describe('the part of a card', () => {
  it('is equal for each, and together they are the whole', () => {
    expect(partOfCard(money(20_000, 'EUR'), 4)).toEqual(money(5_000, 'EUR'))
    expect(partOfCard(money(5_000, 'EUR'), 1)).toEqual(money(5_000, 'EUR'))
  })

  it('is none where the whole does not divide', () => {
    expect(() => partOfCard(money(10_001, 'EUR'), 4)).toThrow(/equal parts/)
  })
})

describe('the cards that a refund names', () => {
  it.each([
    ['3', [2]],
    [' 3, 5-7 ', [2, 4, 5, 6]],
    ['5 - 6,1,5', [0, 4, 5]],
    ['1-10', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ])('are read of %o', (text, positions) => {
    expect(readNamedCards(text, 10)).toEqual(positions)
  })

  it.each([[undefined], [''], ['0'], ['11'], ['7-5'], ['3,'], ['three'], ['-3'], ['3;4'], ['1-1000']])(
    'are unknown where it says %o',
    text => {
      expect(readNamedCards(text, 10)).toBeUndefined()
    },
  )

  it('are those whose numbers were written, whichever they are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(499), { minLength: 1 }), positions => {
        const text = positions.map(numberOfCard).join(',')
        expect(readNamedCards(text, 500)).toEqual(positions.toSorted((a, b) => a - b))
      }),
    )
  })
})

it.each<[readonly CardStatus[], CardStatus | undefined]>([
  [[], undefined],
  [['consumed'], 'consumed'],
  [['revoked', 'consumed'], 'consumed'],
  [['revoked', 'revoked'], 'revoked'],
  [['consumed', 'frozen', 'revoked'], 'frozen'],
])('a purchase of %o is judged as %o', (states, expected) => {
  expect(statusOfPurchase(states.map(status => ({ status })))).toBe(expected)
})
