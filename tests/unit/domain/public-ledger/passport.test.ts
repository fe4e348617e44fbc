import { describe, expect, it } from 'vitest'
import { type Amounts, blindOf, CAUSES, commitmentOf, type Leaf } from '#domain/public-ledger/leaf.ts'
import {
  FEWEST_ORGANISATIONS,
  isOwn,
  opensLine,
  type PaidRun,
  runForGiver,
  tellsUse,
} from '#domain/public-ledger/passport.ts'
import { sha256 } from '#tests/support/public-log.ts'

const NONCE = 'ab'.repeat(32)
const AMOUNTS: Amounts = [
  ['cards', -5_000],
  ['ngo:msf', 5_000],
]
const leaf: Leaf = {
  day: '2026-11-21',
  cause: 'given',
  currency: 'EUR',
  amounts: [
    ['cards', -25_000],
    ['ngo:msf', 25_000],
  ],
  proof: [commitmentOf(sha256, NONCE, 'given', AMOUNTS), 'c'.repeat(64)].sort(),
}

describe('a key', () => {
  it('opens what a recipient chose only where the recipient alone has it', () => {
    for (const key of ['public', 'private'] as const)
      expect(
        CAUSES.filter(cause => opensLine(key, cause)),
        key,
      ).toEqual(key === 'public' ? ['sale', 'claim'] : ['sale', 'claim', 'auto'])
    expect(CAUSES.filter(cause => opensLine('receipt', cause))).toEqual(['given'])
  })

  it('tells the month of a use, the public one once that is over', () => {
    const [used, sameMonth, nextMonth] = ['2026-11-02T10:00Z', '2026-11-30T23:59Z', '2026-12-01T00:00Z'].map(
      text => Date.parse(text),
    ) as [number, number, number]
    expect(tellsUse('public', used, sameMonth)).toBe(false)
    expect(tellsUse('public', used, nextMonth)).toBe(true)
    expect(tellsUse('private', used, used)).toBe(true)
  })
})

describe('a line', () => {
  it('is of whoever holds the nonce, with the amounts that it was made with', () => {
    const own = { cause: 'given', nonce: NONCE, amounts: AMOUNTS } as const
    expect(isOwn(sha256, leaf, own)).toBe(true)
    expect(isOwn(sha256, leaf, { ...own, nonce: 'ac'.repeat(32) })).toBe(false)
    expect(isOwn(sha256, leaf, { ...own, cause: 'sale' })).toBe(false)
    const other: Amounts = [
      ['cards', -5_000],
      ['ngo:cerf', 5_000],
    ]
    expect(isOwn(sha256, leaf, { ...own, amounts: other })).toBe(false)
  })

  it('alone has a blind, and the amounts themselves', () => {
    const alone: Leaf = { ...leaf, cause: 'auto', amounts: AMOUNTS, proof: blindOf(sha256, NONCE, 'auto') }
    const own = { cause: 'auto', nonce: NONCE, amounts: AMOUNTS } as const
    expect(isOwn(sha256, alone, own)).toBe(true)
    expect(isOwn(sha256, alone, { ...own, amounts: leaf.amounts })).toBe(false)
    expect(isOwn(sha256, alone, { ...own, nonce: 'ac'.repeat(32) })).toBe(false)
  })

  it('that many have a part in is compared by what it is about', () => {
    const paid: Leaf = { ...leaf, cause: 'paid', proof: 'd'.repeat(40) }
    expect(isOwn(sha256, paid, { cause: 'paid', nonce: null, amounts: [] })).toBe(true)
    expect(isOwn(sha256, leaf, { cause: 'paid', nonce: null, amounts: [] })).toBe(false)
  })
})

describe('a run of payouts', () => {
  const run: PaidRun = { id: 'run', isOver: true, organisations: FEWEST_ORGANISATIONS, at: 1 }

  it('is told to a giver where it tells nothing of the organisations', () => {
    expect(runForGiver([run])).toEqual(run)
    expect(runForGiver([run, run])).toEqual(run)
  })

  it.each<[string, readonly (PaidRun | undefined)[]]>([
    ['of too few organisations', [{ ...run, organisations: FEWEST_ORGANISATIONS - 1 }]],
    ['of which something is on its way', [{ ...run, isOver: false }]],
    ['that paid out a part of the card', [run, undefined]],
    ['beside another one', [run, { ...run, id: 'other' }]],
    ['that is none', []],
  ])('%s is not', (_, parts) => {
    expect(runForGiver(parts)).toBeUndefined()
  })
})
