import { expect, it } from 'vitest'
import { actRefusal, offersFor } from '../../../studio/src/desk/acts.ts'

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

it('says of whatever was given, whether it is used or left to the draw, that a refund is the house’s own loss', () => {
  const saysOfRefund = (changes: Partial<CardFile>) =>
    offersFor(aCard(changes)).find(({ act }) => act === 'refund')?.says
  const refundable = { left: 5_000, currency: 'EUR', used: true }
  for (const status of ['consumed', 'left', 'frozen'] as const)
    expect(saysOfRefund({ status, refundable })).toContain('what you give back is your own loss')
  expect(saysOfRefund({ refundable: { ...refundable, used: false } })).toContain(
    'the card can be used no more',
  )
})

it('asks for another look where what is shown is no longer so, and not where something typed is wrong', () => {
  for (const rule of [
    'changed',
    'amount',
    'disputed',
    'used',
    'refund-under-way',
    'meanwhile',
    'no-invoice',
    'unheard-of',
  ])
    expect(actRefusal(rule), rule).toMatchObject({ isOld: true })
  for (const rule of ['passkey', 'not-an-address', 'name', 'other-press', 'run-name', 'provider-refused'])
    expect(actRefusal(rule), rule).not.toHaveProperty('isOld')
})
