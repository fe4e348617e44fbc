import { beforeEach, expect, it, vi } from 'vitest'
import { CARD_ORDERS } from '#domain/pricing/card-orders.ts'
import { CARD_KINDS } from '#domain/pricing/packages.ts'

const PAID = ['chain', 'food', 'water', 'homes', 'lives']
const kept = new Map<string, string>()

beforeEach(() => {
  vi.resetModules()
  kept.clear()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
  vi.stubGlobal('sessionStorage', storage)
})

const orderWith = async (text?: string) => {
  if (text !== undefined) kept.set('gift:card-order', text)
  const { cardOrder } = await import('#screens/shared/choices/card-order.store.ts')
  return cardOrder({ origin: 'other', campaign: false }, () => 0.99)
}

it.each(CARD_ORDERS.other.map(({ kinds }) => [kinds.join(' '), kinds]))(
  'keeps the order %s',
  async (_, kinds) => {
    expect(await orderWith(JSON.stringify(kinds))).toEqual(kinds)
  },
)

it('keeps the order of the first look for the rest of the visit', async () => {
  const order = [...(await orderWith())]
  expect(await orderWith()).toEqual(order)
  expect(JSON.parse(kept.get('gift:card-order')!)).toEqual(order)
})

it.each([
  ['one card twice', '["chain","chain"]'],
  ['one card alone', '["chain"]'],
  ['a card that is none', JSON.stringify([...PAID, 'gold'])],
  ['no list', '{"chain":1}'],
  ['no JSON', 'chain'],
])('draws anew where somebody wrote %s: the offer is never hidden', async (_, text) => {
  const order = await orderWith(text)
  expect(CARD_ORDERS.other.map(({ kinds }) => kinds)).toContainEqual(order)
  expect(new Set(order).size).toBe(order.length)
  for (const kind of order) expect(CARD_KINDS).toContain(kind)
})
