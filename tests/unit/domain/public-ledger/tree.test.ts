import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesOf, fromHex, type Sha256, toHex } from '#domain/public-ledger/bytes.ts'
import {
  consistencyProof,
  createFrontier,
  inclusionProof,
  isConsistent,
  isIncluded,
  leafHash,
  rootOf,
} from '#domain/public-ledger/tree.ts'
import { count } from '#tests/support/counts.ts'

const sha256: Sha256 = bytes => createHash('sha256').update(bytes).digest()
const RUNS = { numRuns: count({ usual: 200, long: 20_000 }) }

/** The test tree of the reference implementation of RFC 6962: its leaves, and the root at each size. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(fromHex)
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const hashesOf = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, n) => leafHash(sha256, bytesOf(String(n))))

/** A root written down as the RFC defines it, for comparison. */
function rootByDefinition(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha256(new Uint8Array())
  if (hashes.length === 1) return hashes[0]!
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return sha256(
    Buffer.concat([
      Uint8Array.of(1),
      rootByDefinition(hashes.slice(0, split)),
      rootByDefinition(hashes.slice(split)),
    ]),
  )
}

describe('the tree', () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))(
    'has the root of the reference implementation at size %i',
    (size, root) => {
      const hashes = LEAVES.slice(0, size).map(leaf => leafHash(sha256, leaf))
      expect(toHex(rootOf(sha256, hashes))).toBe(root)
    },
  )

  it('has the audit path of the reference implementation', () => {
    const hashes = LEAVES.map(leaf => leafHash(sha256, leaf))
    expect(inclusionProof(sha256, 5, hashes).map(toHex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
  })

  it('has the consistency proof of the reference implementation', () => {
    const hashes = LEAVES.map(leaf => leafHash(sha256, leaf))
    expect(consistencyProof(sha256, 6, hashes).map(toHex)).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ])
  })

  it('grows to the same root as it has when built at once', () => {
    const frontier = createFrontier(sha256)
    const hashes = hashesOf(70)
    for (const [n, hash] of hashes.entries()) {
      expect(frontier.size()).toBe(n)
      expect(toHex(frontier.root())).toBe(toHex(rootByDefinition(hashes.slice(0, n))))
      frontier.add(hash)
    }
  })

  it('proves every leaf, at its place alone and in this tree alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), fc.nat(), (size, a, b, c) => {
        const hashes = hashesOf(size)
        const root = rootOf(sha256, hashes)
        const index = a % size
        const hash = hashes[index]!
        const proof = inclusionProof(sha256, index, hashes)
        const said = { index, size, hash, proof, root }
        expect(isIncluded(sha256, said)).toBe(true)
        const elsewhere = b % size
        if (elsewhere !== index) expect(isIncluded(sha256, { ...said, index: elsewhere })).toBe(false)
        expect(isIncluded(sha256, { ...said, hash: leafHash(sha256, bytesOf('another')) })).toBe(false)
        expect(isIncluded(sha256, { ...said, index: size })).toBe(false)
        expect(isIncluded(sha256, { ...said, proof: [...proof, root] })).toBe(false)
        if (proof.length > 0) {
          const broken = proof.map(each => Uint8Array.from(each))
          broken[c % broken.length]![c % 32]! ^= 1
          expect(isIncluded(sha256, { ...said, proof: broken })).toBe(false)
          expect(isIncluded(sha256, { ...said, proof: proof.slice(1) })).toBe(false)
        }
      }),
      RUNS,
    )
  })

  it('proves that it grew, and refuses a tree that was changed behind', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), fc.nat(), (size, a, b) => {
        const hashes = hashesOf(size)
        const older = a % (size + 1)
        const newer = { size, root: rootOf(sha256, hashes) }
        const proof = consistencyProof(sha256, older, hashes)
        const said = { older: { size: older, root: rootOf(sha256, hashes.slice(0, older)) }, newer, proof }
        expect(isConsistent(sha256, said)).toBe(true)
        if (older > 0) {
          const changed = hashes.slice(0, older)
          changed[b % older] = leafHash(sha256, bytesOf('another'))
          const other = { size: older, root: rootOf(sha256, changed) }
          expect(isConsistent(sha256, { ...said, older: other })).toBe(false)
        }
        if (older < size) {
          expect(isConsistent(sha256, { older: newer, newer: said.older, proof })).toBe(false)
          expect(isConsistent(sha256, { ...said, newer: { size, root: sha256(newer.root) } })).toBe(
            older === 0,
          )
        }
        if (proof.length > 0) {
          expect(isConsistent(sha256, { ...said, proof: proof.slice(1) })).toBe(false)
          expect(isConsistent(sha256, { ...said, proof: [...proof, newer.root] })).toBe(false)
        }
      }),
      RUNS,
    )
  })
})
