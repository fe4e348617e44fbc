import { expect, it } from 'vitest'
import { offersFor } from '../../../studio/src/desk/acts.ts'

type CardFile = Parameters<typeof offersFor>[0]

const aCard = (changes: Partial<CardFile>): CardFile => ({
  id: 'card',
  order_id: 'order',
  kind: 'donation',
  status: 'active',
  language: 'en',
  address: 'b…r@example.org',
  created_at: 0,
  has_message: false,
  holds: [],
  auto_donate_at: 1,
  refundable: null,
  many: null,
  history: [],
  ...changes,
})
const ofOrder = (many: CardFile['many'], changes: Partial<CardFile> = {}) =>
  offersFor(aCard({ many, ...changes }))
    .filter(({ isOfOrder }) => isOfOrder)
    .map(({ act, button }) => [act, button])

it('offers nothing for a whole order where the card was bought alone', () => {
  expect(ofOrder(null)).toEqual([])
})

it('offers to freeze all cards of an order of many, beside the one that is open, as long as one can be used', () => {
  const all = { cards: 500, to_hold: 500, held: 0 }
  expect(ofOrder(all)).toEqual([['hold', 'Freeze all 500 cards']])
  expect(offersFor(aCard({ many: all })).filter(({ act }) => act === 'hold')).toHaveLength(2)
  expect(ofOrder({ cards: 500, to_hold: 0, held: 0 }, { status: 'consumed' })).toEqual([])
})

it('offers to release all that are held, from the file of any of them', () => {
  const some = { cards: 500, to_hold: 1, held: 499 }
  const both = [
    ['hold', 'Freeze all 500 cards'],
    ['release', 'Release all 499 frozen cards'],
  ]
  expect(ofOrder(some)).toEqual(both)
  expect(ofOrder(some, { status: 'consumed' })).toEqual(both)
})
