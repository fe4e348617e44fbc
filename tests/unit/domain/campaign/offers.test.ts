import { expect, it } from 'vitest'
import { freeOffers, offerTo } from '#domain/campaign/offers.ts'

const CAMPAIGNS = [
  { tag: 'seed', active: true, stock: 3 },
  { tag: 'empty', active: true, stock: 0 },
  { tag: 'paused', active: false, stock: 9 },
]

it('offers a free card while a running campaign has one left', () => {
  const of = (claimed: number) => freeOffers(CAMPAIGNS, new Map([['seed', claimed]]))
  expect(of(2)).toEqual({ seed: 'offered', empty: 'sold-out' })
  expect(of(3)).toEqual({ seed: 'sold-out', empty: 'sold-out' })
  // The operator has lowered the stock since.
  expect(of(4).seed).toBe('sold-out')
})

it('offers it to visitors of that campaign alone', () => {
  const offers = freeOffers(CAMPAIGNS, new Map([['seed', 1]]))
  const visitor = (kind: 'free' | 'ad', code: string) => offerTo({ kind, code, source: 'other' }, offers)
  expect(visitor('free', 'seed')).toBe('offered')
  expect(visitor('free', 'empty')).toBe('sold-out')
  for (const code of ['paused', 'gone', 'constructor', '__proto__'])
    expect(visitor('free', code)).toBeUndefined()
  expect(visitor('ad', 'seed')).toBeUndefined()
  expect(offerTo(undefined, offers)).toBeUndefined()
})
