import { expect, test } from 'vitest'
import { type CountedCard, FEWEST_TOLD, figuresOfMany } from '#domain/card/figures-of-many.ts'
import { DAY_MS } from '#domain/durations.ts'

const NOON = Date.UTC(2026, 10, 26, 12)
const waiting: CountedCard = { status: 'active' }
/** The n-th card that was used, an hour after the one before. */
const used = (n: number, ngoId = 'msf', amount = 5_000): CountedCard => ({
  status: 'consumed',
  use: { cause: 'recipient', at: NOON + n * 60_000, shares: [{ ngoId, amount }] },
})
const some = (count: number, ngoId?: string) => Array.from({ length: count }, (_, n) => used(n, ngoId))

test('tells no organisation before five cards were used, and every fifth one from then on', () => {
  const told = (count: number) => {
    const { organisations, told: cards } = figuresOfMany([...some(count), waiting])
    return { cards, sum: organisations.reduce((sum, { amount }) => sum + amount, 0) }
  }
  expect(told(FEWEST_TOLD - 1)).toEqual({ cards: 0, sum: 0 })
  expect(told(5)).toEqual({ cards: 5, sum: 25_000 })
  for (const count of [6, 7, 8, 9]) expect(told(count)).toEqual(told(5))
  expect(told(10)).toEqual({ cards: 10, sum: 50_000 })
})

test('one more used card changes what is told by a whole group, never by its own choice', () => {
  const nine = [...some(5), used(5, 'cerf'), used(6, 'cerf'), used(7, 'cerf'), used(8, 'cerf')]
  expect(figuresOfMany(nine).organisations).toEqual([{ ngoId: 'msf', amount: 25_000 }])
  expect(figuresOfMany([...nine, used(9, 'unicef')]).organisations).toEqual([
    { ngoId: 'msf', amount: 25_000 },
    { ngoId: 'cerf', amount: 20_000 },
    { ngoId: 'unicef', amount: 5_000 },
  ])
})

test('the first five are those that were used first, in whichever place of the order they stand', () => {
  const cards = [used(9, 'cerf'), ...some(5)]
  expect(figuresOfMany(cards).organisations).toEqual([{ ngoId: 'msf', amount: 25_000 }])
})

test('counts what was used, waits, is held, went back and was given away', () => {
  const gone: CountedCard = {
    status: 'consumed',
    use: { cause: 'auto-donation', at: NOON + 400 * DAY_MS, shares: [{ ngoId: 'cerf', amount: 5_000 }] },
  }
  const figures = figuresOfMany([
    used(0),
    waiting,
    { status: 'frozen' },
    { status: 'cancelling' },
    { status: 'revoked' },
    gone,
  ])
  expect(figures).toMatchObject({ cards: 6, used: 1, waiting: 1, held: 2, back: 1, givenAway: 1, told: 0 })
  // No recipient chose it, so one alone may be told.
  expect(figures.drawn).toEqual([{ ngoId: 'cerf', amount: 5_000 }])
  expect(figures.organisations).toEqual([])
})

test('counts what was left to the draw as used, on its day, and never tells where the draw took it', () => {
  const left: CountedCard = { status: 'left', use: { cause: 'draw', at: NOON, shares: [] } }
  const drawn: CountedCard = { status: 'consumed', use: { cause: 'draw', at: NOON, shares: [] } }
  const figures = figuresOfMany([left, drawn, waiting, ...some(4)])
  expect(figures).toMatchObject({ used: 6, waiting: 1, held: 0, givenAway: 0, told: 0, drawn: [] })
  expect(figures.days).toEqual([{ day: '2026-11-26', used: 6, left: 1 }])
  // They make no group of five whole, which would tell what the others chose.
  expect(figures.organisations).toEqual([])
  expect(figuresOfMany([left, ...some(5)])).toMatchObject({ used: 6, told: 5 })
})

test('says for each day, in Madrid, how many were used and how many were left', () => {
  const late = { ...used(0), use: { ...used(0).use!, at: Date.UTC(2026, 10, 26, 23, 30) } }
  expect(figuresOfMany([used(0), used(1), late, waiting, { status: 'revoked' }]).days).toEqual([
    { day: '2026-11-26', used: 2, left: 2 },
    { day: '2026-11-27', used: 1, left: 1 },
  ])
})
