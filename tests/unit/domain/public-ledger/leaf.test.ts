import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Amounts,
  blindOf,
  CAUSES,
  commitmentOf,
  type Leaf,
  leafText,
  readLeaf,
  summed,
} from '#domain/public-ledger/leaf.ts'
import { count } from '#tests/support/counts.ts'
import { sha256 } from '#tests/support/public-log.ts'

const RUNS = { numRuns: count({ usual: 1_000, long: 100_000 }) }
const BLIND = '0123456789abcdef0123456789abcdef01234567'
const [ONE, OTHER] = ['a'.repeat(64), 'b'.repeat(64)]

const sale: Leaf = {
  day: '2026-11-21',
  cause: 'sale',
  currency: 'EUR',
  amounts: [
    ['cards', 2_000],
    ['payments', -2_200],
    ['support', 158],
    ['tax', 42],
  ],
  proof: BLIND,
}
const SALE = `[1,"2026-11-21","sale","EUR",[["cards",2000],["payments",-2200],["support",158],["tax",42]],"${BLIND}"]`

const SIGNATURE = Buffer.alloc(64, 7).toString('base64')
/** Lines of these say something, and move no money. */
const MOVING = CAUSES.filter(cause => !['note', 'received', 'announced'].includes(cause))

describe('a leaf', () => {
  it('is written in one way, and read back', () => {
    expect(leafText(sale)).toBe(SALE)
    expect(readLeaf(SALE)).toEqual(sale)
  })

  it.each<[string, Leaf]>([
    ['a sum of several', { ...sale, proof: [ONE, OTHER] }],
    [
      'cards that were given',
      {
        ...sale,
        cause: 'given',
        amounts: [
          ['cards', -5],
          ['ngo:a b', 5],
        ],
        proof: [ONE],
      },
    ],
    [
      'an unused card, drawn',
      { ...sale, cause: 'auto', draw: { by: 'chance', place: 1, candidates: ['x', 'y'] } },
    ],
    ['an unused card, to whom its buyer named', { ...sale, cause: 'auto', draw: { by: 'buyer' } }],
    ['a new key', { ...sale, cause: 'note', amounts: [], key: ['key', 'a', 'b', SIGNATURE] }],
    [
      'what arrived',
      { ...sale, cause: 'received', amounts: [], received: [7, 'msf', '2026', -500, [ONE, OTHER]] },
    ],
  ])('of %s is read as it was written', (_, leaf) => {
    expect(readLeaf(leafText(leaf))).toEqual(leaf)
  })

  it.each([
    ['spaces', SALE.replace(',', ', ')],
    ['another version', SALE.replace('[1', '[2')],
    ['a day that is none', SALE.replace('11-21', '11-31')],
    ['a time of day', SALE.replace('2026-11-21', '2026-11-21T09:00')],
    ['an unknown cause', SALE.replace('sale', 'gift')],
    ['an unknown currency', SALE.replace('EUR', 'XXX')],
    ['amounts that do not sum to zero', SALE.replace('2000', '2001')],
    ['half a cent', SALE.replace('158', '158.5').replace('42', '41.5')],
    ['an amount of zero', SALE.replace('["tax",42]', '["support",42],["tax",0]')],
    ['an amount spelt another way', SALE.replace('2000', '2e3')],
    [
      'accounts in another order',
      SALE.replace('["cards",2000],["payments",-2200]', '["payments",-2200],["cards",2000]'),
    ],
    ['an account twice', SALE.replace('["support",158],["tax",42]', '["support",158],["support",42]')],
    ['a blind that is none', SALE.replace(BLIND, 'order-1')],
    ['no commitments', SALE.replace(`"${BLIND}"`, '[]')],
    ['commitments in another order', SALE.replace(`"${BLIND}"`, `["${OTHER}","${ONE}"]`)],
    ['a commitment twice', SALE.replace(`"${BLIND}"`, `["${ONE}","${ONE}"]`)],
    ['the use of a single card', SALE.replace('sale', 'given')],
    ['a draw of a sale', `${SALE.slice(0, -1)},["buyer"]]`],
    ['a draw of nobody', `${SALE.replace('sale', 'auto').slice(0, -1)},["chance",2,["x","y"]]]`],
    ['more parts', `${SALE.slice(0, -1)},null,1]`],
    ['text', 'null'],
    ['half of it', SALE.slice(0, -1)],
  ])('with %s is refused', (_, text) => {
    expect(() => readLeaf(text)).toThrow(RangeError)
  })

  it('sums to zero, whatever is summed', () => {
    const amounts = fc
      .array(
        fc.tuple(
          fc.constantFrom('cards', 'payments', 'ngo:one', 'ngo:two'),
          fc.integer({ min: -1e9, max: 1e9 }),
        ),
      )
      .map((some): Amounts => [...some, ['bank', -some.reduce((sum, [, amount]) => sum + amount, 0)]])
    fc.assert(
      fc.property(fc.array(amounts), fc.constantFrom(...MOVING), (all, cause) => {
        const proof = cause === 'given' ? [ONE] : BLIND
        const leaf: Leaf = { ...sale, cause, amounts: summed(...all), proof }
        expect(readLeaf(leafText(leaf))).toEqual(leaf)
        for (const account of ['cards', 'ngo:one']) {
          const of = (some: Amounts) =>
            some.filter(each => each[0] === account).reduce((sum, each) => sum + each[1], 0)
          expect(of(leaf.amounts)).toBe(of(all.flat()))
        }
      }),
      RUNS,
    )
  })
})

describe('what hides a card', () => {
  it('is the beginning of a digest, made with the cause', () => {
    const nonce = '00'.repeat(32)
    expect(blindOf(sha256, nonce, 'sale')).toBe(
      Buffer.from(sha256(Buffer.from(`${nonce}sale`)))
        .toString('hex')
        .slice(0, 40),
    )
    expect(blindOf(sha256, nonce, 'given')).not.toBe(blindOf(sha256, nonce, 'sale'))
  })

  it('is another commitment for another nonce, organisation, amount or cause', () => {
    const amounts: Amounts = [
      ['cards', -500],
      ['ngo:one', 500],
    ]
    const made = [
      commitmentOf(sha256, '00', 'given', amounts),
      commitmentOf(sha256, '01', 'given', amounts),
      commitmentOf(sha256, '00', 'auto', amounts),
      commitmentOf(sha256, '00', 'given', [
        ['cards', -500],
        ['ngo:two', 500],
      ]),
      commitmentOf(sha256, '00', 'given', [
        ['cards', -501],
        ['ngo:one', 501],
      ]),
    ]
    expect(new Set(made).size).toBe(made.length)
    for (const each of made) expect(each).toMatch(/^[0-9a-f]{64}$/)
  })
})
