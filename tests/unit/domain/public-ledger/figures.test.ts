import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CurrencyFigures, figuresOfLeaves } from '#domain/public-ledger/figures.ts'
import { type Leaf, summed } from '#domain/public-ledger/leaf.ts'

const PROOF = 'a'.repeat(40)
const several = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => n.toString(16).padStart(64, '0'))

const aLeaf = (changes: Partial<Leaf> & Pick<Leaf, 'cause' | 'amounts'>): Leaf => ({
  day: '2026-03-10',
  currency: 'EUR',
  proof: PROOF,
  ...changes,
})
const aSale = (changes: Partial<Leaf> = {}): Leaf =>
  aLeaf({
    cause: 'sale',
    amounts: [
      ['cards', 5_000],
      ['payments', -5_500],
      ['support', 395],
      ['tax', 105],
    ],
    ...changes,
  })
const given = (day: string, ngoId: string, amount: number, cards = 5): Leaf =>
  aLeaf({
    day,
    cause: 'given',
    amounts: [
      ['cards', -amount],
      [`ngo:${ngoId}`, amount],
    ],
    proof: several(cards),
  })
const payout = (day: string, ngoId: string, amount: number): Leaf =>
  aLeaf({
    day,
    cause: 'payout',
    amounts: [
      [`ngo:${ngoId}`, -amount],
      ['payouts-open', amount],
    ],
  })

function figuresOf(...leaves: readonly Leaf[]): readonly CurrencyFigures[] {
  const fold = figuresOfLeaves()
  for (const leaf of leaves) fold.add(leaf)
  return fold.read()
}

const received = (day: string, said: NonNullable<Leaf['received']>): Leaf => ({
  day,
  cause: 'received',
  currency: 'EUR',
  amounts: [],
  proof: '0'.repeat(40),
  received: said,
})

describe('the public figures', () => {
  it('say nothing of no lines', () => {
    expect(figuresOf()).toEqual([])
  })

  it('count every sale of a sum of several', () => {
    const [euros] = figuresOf(aSale(), aSale({ proof: several(3) }))
    expect(euros!.sold).toEqual({ count: 4, amount: 11_000 })
    expect(euros).toMatchObject({ onCards: 10_000, support: 790, tax: 210 })
  })

  it('keep currencies apart', () => {
    expect(figuresOf(aSale({ currency: 'GBP' }), aSale()).map(({ currency }) => currency)).toEqual([
      'EUR',
      'GBP',
    ])
  })

  it('say who bore the fees of the provider, and leave what buyers paid as it was', () => {
    const [euros] = figuresOf(
      aSale(),
      aLeaf({
        cause: 'fee',
        amounts: [
          ['fees', -100],
          ['operator', -30],
          ['payments', 130],
        ],
      }),
      aLeaf({
        cause: 'bank',
        amounts: [
          ['bank', -1_000],
          ['payments', 1_000],
        ],
      }),
    )
    expect(euros!.fees).toEqual({ fromSupport: 100, fromOperator: 30 })
    expect(euros!.sold.amount).toBe(5_500)
  })

  it('pay out the oldest gifts first, so that what waits is as old as the first gift that is not paid out whole', () => {
    const [euros] = figuresOf(
      given('2026-03-12', 'msf', 4_000),
      given('2026-03-10', 'msf', 5_000),
      given('2026-03-11', 'cerf', 1_000),
      payout('2026-04-01', 'msf', 5_000),
    )
    expect(euros!.waiting).toEqual([
      { ngoId: 'msf', amount: 4_000, since: '2026-03-12' },
      { ngoId: 'cerf', amount: 1_000, since: '2026-03-11' },
    ])
    expect(euros!.inTransfer).toBe(5_000)
  })

  it('name no organisation for which nothing waits', () => {
    const [euros] = figuresOf(given('2026-03-10', 'msf', 5_000), payout('2026-03-31', 'msf', 5_000))
    expect(euros!.waiting).toEqual([])
  })

  it('give the payouts of each year, the latest year and the largest sum first; what was taken back is none', () => {
    const [euros] = figuresOf(
      given('2026-03-10', 'msf', 9_000),
      given('2026-03-10', 'cerf', 9_000),
      payout('2026-12-31', 'msf', 1_000),
      payout('2027-01-01', 'msf', 2_000),
      payout('2027-01-02', 'cerf', 3_000),
      payout('2027-01-03', 'cerf', 500),
      payout('2027-01-04', 'cerf', -500),
      received('2027-02-01', [1, 'msf', '2026', 1_000, []]),
      received('2027-02-02', [2, 'cerf', '2027', 3_000, []]),
      received('2027-02-03', [2, 'cerf', '2027', -3_000, []]),
    )
    expect(euros!.payouts).toEqual([
      {
        year: '2027',
        to: [
          { ngoId: 'cerf', amount: 3_000, confirmed: 0 },
          { ngoId: 'msf', amount: 2_000, confirmed: 0 },
        ],
      },
      { year: '2026', to: [{ ngoId: 'msf', amount: 1_000, confirmed: 1_000 }] },
    ])
  })

  it('are the same in whatever order the lines come, and account for every cent', () => {
    const organisation = fc.constantFrom('msf', 'cerf', 'irc')
    const amount = fc.integer({ min: 1, max: 100_000 })
    const day = fc.constantFrom('2026-03-10', '2026-03-11', '2026-12-31', '2027-01-01')
    const line = fc.oneof(
      fc.record({ day }).map(each => [aSale(each)]),
      fc.tuple(day, organisation, amount).map(each => [given(...each)]),
      // No more is paid out than was given.
      fc.tuple(day, organisation, amount).map(each => [given(...each), payout(...each)]),
    )
    const someLines = fc.array(line, { maxLength: 20 }).map(lines => lines.flat())
    fc.assert(
      fc.property(someLines, fc.nat(), (lines, turn) => {
        const turned = [
          ...lines.slice(turn % (lines.length + 1)),
          ...lines.slice(0, turn % (lines.length + 1)),
        ]
        expect(figuresOf(...turned)).toEqual(figuresOf(...lines))
        const balance = new Map(summed(...lines.map(({ amounts }) => amounts)))
        for (const figures of figuresOf(...lines)) {
          expect(figures.onCards).toBe(balance.get('cards') ?? 0)
          const waits = figures.waiting.reduce((sum, each) => sum + each.amount, 0)
          const paid = figures.payouts.flatMap(({ to }) => to).reduce((sum, each) => sum + each.amount, 0)
          expect(waits + paid).toBe(figures.given.amount)
          expect(figures.waiting.every(each => each.amount > 0 && each.since !== '')).toBe(true)
          expect(figures.inTransfer).toBe(paid)
        }
      }),
    )
  })
})
