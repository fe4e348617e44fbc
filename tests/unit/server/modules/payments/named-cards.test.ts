import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readNamedCards, writeNamedCards } from '#domain/card/batch.ts'
import { nameCards, namedCards } from '#server/modules/payments/named-cards.ts'

it('cards are named to the provider in fields that it takes, and are read from there as they were', () => {
  expect(nameCards('3, 5-8')).toEqual({ cards: '3, 5-8' })
  const everySecond = Array.from({ length: 250 }, (_, n) => 2 * n)
  expect(Object.keys(nameCards(writeNamedCards(everySecond)))).toEqual(['cards', 'cards_2', 'cards_3'])
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(499), { minLength: 1, maxLength: 500 }), some => {
      const fields = nameCards(writeNamedCards(some))
      for (const field of Object.values(fields)) expect(field.length).toBeLessThanOrEqual(500)
      expect(readNamedCards(namedCards(fields), 500)).toEqual(some.toSorted((a, b) => a - b))
    }),
  )
})

it('what names no cards says nothing', () => {
  expect(namedCards({ withdrawal: 'x' })).toBe(undefined)
  expect(namedCards(null)).toBe(undefined)
})
