import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex, joined, type Sha256 } from '#domain/public-ledger/bytes.ts'
import { type Announcement, type Draw, drawnPlace, witnessSeed } from '#domain/public-ledger/draw.ts'
import { type Leaf, leafText, readLeaf } from '#domain/public-ledger/leaf.ts'
import { createDrandDouble } from '#stand-ins/drand-double/index.ts'
import { sha256 } from '#tests/support/public-log.ts'

const hex = (bytes: number, digit: string) => digit.repeat(bytes * 2)
const seed = fromHex(hex(32, 'a'))
const blindsOf = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    Buffer.from(sha256(Buffer.from(`card ${n}`)))
      .toString('hex')
      .slice(0, 40),
  )
const place = (blind: string, count: number, gone: readonly number[] = []) =>
  drawnPlace(sha256, { seed, blind, count, gone })

describe('the place that is drawn', () => {
  it('is what SHA-256 of the value and the blind says', () => {
    const blind = hex(20, '1')
    const number = Number(Buffer.from(sha256(joined(seed, fromHex(blind)))).readUIntBE(0, 6))
    expect(place(blind, 7)).toBe(number % 7)
    expect(place(blind, 1)).toBe(0)
  })

  it('is another hash where the first one would make some places likelier', () => {
    // 2^48 is 1 more than a multiple of 3: the last number is passed over.
    const answers = [
      new Uint8Array(32).fill(0xff),
      Uint8Array.from({ length: 32 }, (_, n) => (n === 5 ? 2 : 0)),
    ]
    const asked: Uint8Array[] = []
    const scripted: Sha256 = bytes => {
      asked.push(bytes)
      return answers[asked.length - 1]!
    }
    expect(drawnPlace(scripted, { seed, blind: hex(20, '1'), count: 3, gone: [] })).toBe(2)
    expect(asked).toEqual([joined(seed, fromHex(hex(20, '1'))), answers[0]])
  })

  it('is never one that has gone, and stays where another one went', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 30 }),
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.array(fc.nat(29)),
        (count, bytes, some) => {
          const blind = Buffer.from(bytes).toString('hex')
          const gone = [...new Set(some.map(each => each % count))].slice(0, count - 1)
          const first = place(blind, count)
          const drawn = place(blind, count, gone)
          expect(gone).not.toContain(drawn)
          if (!gone.includes(first)) expect(drawn).toBe(first)
        },
      ),
    )
    expect(() => place(hex(20, '1'), 2, [0, 1])).toThrow(RangeError)
  })

  it('is as likely as every other: 10,000 cards, chi-square below what one of ten thousand lists exceeds', () => {
    for (const count of [2, 3, 10, 24]) {
      const seen = Array.from({ length: count }, () => 0)
      for (const blind of blindsOf(10_000)) seen[place(blind, count)]!++
      const expected = 10_000 / count
      const chi = seen.reduce((sum, each) => sum + (each - expected) ** 2 / expected, 0)
      const freedom = count - 1
      // Wilson and Hilferty.
      expect(chi).toBeLessThan(freedom * (1 - 2 / (9 * freedom) + 3.719 * Math.sqrt(2 / (9 * freedom))) ** 3)
    }
  })
})

it('a seed of a witness is made of both', () => {
  const [secret, cosignature] = [hex(32, '1'), hex(72, '2')]
  expect(witnessSeed(sha256, secret, cosignature)).toEqual(sha256(fromHex(secret + cosignature)))
})

const BLIND = hex(20, 'b')
const { chain, sign } = createDrandDouble({ clock: () => 0 })
const due = { candidates: ['one', 'two'], blinds: [hex(20, '1'), BLIND] }
const line: Leaf = {
  day: '2026-11-25',
  cause: 'announced',
  currency: 'EUR',
  amounts: [],
  proof: hex(20, '7'),
}
const auto: Leaf = {
  ...line,
  cause: 'auto',
  amounts: [
    ['cards', -500],
    ['ngo:two', 500],
  ],
  proof: BLIND,
}
const drand: Announcement = { by: 'drand', chain, round: 9, ...due }
const witness: Announcement = { by: 'witness', commitment: hex(32, 'c'), witness: 'w+1+2', ...due }
const byDrand: Draw = { by: 'drand', announcement: 3, place: 1, signature: sign(9), gone: [] }
const byWitness: Draw = {
  by: 'witness',
  announcement: 3,
  place: 1,
  secret: hex(32, '1'),
  size: 4,
  cosignature: hex(72, '2'),
  gone: [0],
}

describe('a line', () => {
  it.each<[string, Leaf]>([
    ['that announces by drand', { ...line, announcement: drand }],
    ['that announces by a witness', { ...line, announcement: witness }],
    ['drawn by drand', { ...auto, draw: byDrand }],
    ['drawn by a witness', { ...auto, draw: byWitness }],
  ])('%s is read as it was written', (_, leaf) => {
    expect(readLeaf(leafText(leaf))).toEqual(leaf)
  })

  const announced = leafText({ ...line, announcement: drand })
  const drawn = leafText({ ...auto, draw: byDrand })
  it.each([
    ['an announcement of nothing', leafText(line)],
    ['an announcement that moves money', announced.replace('[]', '[["cards",-1],["ngo:x",1]]')],
    ['an announcement of a sale', announced.replace('announced', 'sale')],
    ['a draw in an announcement', drawn.replace('"auto"', '"announced"')],
    ['an announcement in a draw', announced.replace('"announced"', '"auto"')],
    [
      'blinds in another order',
      announced.replace(`"${due.blinds.join('","')}"`, `"${due.blinds.toReversed().join('","')}"`),
    ],
    ['a card twice', announced.replace(hex(20, '1'), BLIND)],
    ['a candidate twice', announced.replace('"two"', '"one"')],
    ['no candidates', announced.replace('["one","two"]', '[]')],
    ['a chain of another key', announced.replace(chain.publicKey, chain.publicKey.slice(2))],
    ['a round before the first', announced.replace(',9,', ',0,')],
    ['a signature that is none', drawn.replace(sign(9), 'ff')],
    ['gone candidates in another order', drawn.replace('[]]', '[1,0]]')],
    ['more parts of a draw', drawn.replace('[]]', '[],1]')],
    ['another way of drawing', drawn.replace('"drand"', '"dice"')],
  ])('with %s is refused', (_, text) => {
    expect(() => readLeaf(text)).toThrow(RangeError)
  })
})
