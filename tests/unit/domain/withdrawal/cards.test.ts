import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readNamedCards, writeNamedCards } from '#domain/card/batch.ts'
import { type CardStatus, statusToWithdraw } from '#domain/card/states.ts'
import {
  cardsNotAskedFor,
  cardsToWithdraw,
  type EarlierWithdrawal,
  placesNamed,
} from '#domain/withdrawal/cards.ts'
import { WITHDRAWAL_STATES, type WithdrawalState } from '#domain/withdrawal/withdrawal.ts'

const NOW = 1_000
const IN_TIME = { statedAt: NOW, endsAt: NOW + 1 }
const TOO_LATE = { statedAt: NOW, endsAt: NOW }
const cards = (...states: readonly CardStatus[]) => states.map(status => ({ status }))
const earlier = (
  state: WithdrawalState,
  of: readonly number[] | undefined,
  statedAt = 500,
): EarlierWithdrawal => ({ state, cards: of, statedAt })
const places = (...args: Parameters<typeof cardsToWithdraw>) =>
  cardsToWithdraw(...args).map(({ position }) => position)

describe('of an order of many its buyer can withdraw from', () => {
  it('every card whose money has not gone back, used or not', () => {
    const all = cards('active', 'consumed', 'revoked', 'frozen', 'left', 'cancelling')
    expect(places(all, [], IN_TIME)).toEqual([0, 1, 3, 4, 5])
  })

  it.each<[WithdrawalState, readonly number[]]>([
    ['waiting', [0]],
    ['refunding', [0]],
    ['refunded', [0]],
    ['failed', [0, 1, 2]],
    ['closed', [0, 1, 2]],
  ])('no card whose money another withdrawal asks for: one that is %s', (state, left) => {
    const three = cards('active', 'active', 'active')
    expect(places(three, [earlier(state, [1, 2])], IN_TIME)).toEqual(left)
    // From all of the order, as the first ones were.
    expect(places(three, [earlier(state, undefined)], IN_TIME)).toEqual(left.length === 3 ? left : [])
  })

  it('after its days, those alone whose refund failed of a withdrawal that was in time', () => {
    const three = cards('active', 'active', 'active')
    expect(places(three, [], TOO_LATE)).toEqual([])
    expect(cardsToWithdraw(three, [earlier('failed', [1], 700)], TOO_LATE)).toEqual([
      { position: 1, statedAt: 700 },
    ])
    expect(cardsNotAskedFor(three, [earlier('refunded', [1])])).toEqual([0, 2])
  })

  it('no card twice, whatever is withdrawn from and in whatever order', () => {
    const size = 6
    const choices = fc.array(fc.uniqueArray(fc.nat(size - 1)), { maxLength: 6 })
    fc.assert(
      fc.property(choices, fc.constantFrom(...WITHDRAWAL_STATES), (all, first) => {
        const made: EarlierWithdrawal[] = [earlier(first, [0])]
        const asked = new Set(first === 'failed' || first === 'closed' ? [] : [0])
        for (const choice of all) {
          const taken = places(cards(...Array<CardStatus>(size).fill('active')), made, IN_TIME).filter(each =>
            choice.includes(each),
          )
          for (const each of taken) {
            expect(asked.has(each)).toBe(false)
            asked.add(each)
          }
          made.push(earlier('refunding', taken))
        }
      }),
    )
  })
})

it('names of cards are read as they were written, whatever they are', () => {
  expect(writeNamedCards([7, 2, 4, 5, 6, 2])).toBe('3, 5-8')
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 500 }), some => {
      const text = writeNamedCards(some)
      const sorted = some.toSorted((a, b) => a - b)
      expect(readNamedCards(text, 500)).toEqual(sorted)
      expect(placesNamed(text)).toEqual(sorted)
    }),
  )
})

it('a withdrawal that names what cannot be read is from no card, and one that names nothing from all', () => {
  expect(placesNamed('all of them')).toEqual([])
  expect(placesNamed(null)).toBe(undefined)
})

it.each<[CardStatus, boolean, CardStatus]>([
  ['frozen', true, 'left'],
  ['frozen', false, 'frozen'],
  ['active', false, 'active'],
  ['left', true, 'left'],
  ['consumed', true, 'consumed'],
  ['revoked', true, 'revoked'],
])('a card that is %s, left to the draw: %s, is withdrawn from as %s', (status, isLeft, as) => {
  expect(statusToWithdraw(status, isLeft)).toBe(as)
})
