import { bytesOf, isSame, joined, type Sha256 } from './bytes.ts'

/** The hashing of RFC 6962, section 2.1: a leaf and a node never have the same hash, since their first byte differs. */
const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The hash of one entry of the log, as RFC 6962 makes it. */
export const leafHash = (sha256: Sha256, entry: Uint8Array): Uint8Array => sha256(joined(LEAF, entry))

/** The hash of two subtrees, the left one first, as RFC 6962 makes it. */
export const nodeHash = (sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(joined(NODE, left, right))

/** The root of a tree without leaves. */
export const emptyRoot = (sha256: Sha256): Uint8Array => sha256(bytesOf(''))

/** The largest power of two below a size of at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The root over these hashes of leaves, in their order: `MTH` of the RFC. */
export function rootOf(sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array {
  const frontier = createFrontier(sha256)
  for (const hash of hashes) frontier.add(hash)
  return frontier.root()
}

/** The roots of the whole subtrees that a growing tree is made of, one for each bit of its size. */
export interface Frontier {
  size(): number
  /** Adds the hash of the next leaf. */
  add(hash: Uint8Array): void
  /** @param right the root of what comes behind it: a smaller tree, of which none of the subtrees is larger than these */
  root(right?: Uint8Array): Uint8Array
}

/** Grows a tree leaf by leaf, and knows its root at any size, without keeping the leaves. */
export function createFrontier(sha256: Sha256): Frontier {
  /** Largest subtree first. */
  const roots: Uint8Array[] = []
  let size = 0
  return {
    size: () => size,
    add(hash) {
      let root = hash
      for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) root = nodeHash(sha256, roots.pop()!, root)
      roots.push(root)
      size++
    },
    root(right) {
      const all = right === undefined ? roots : [...roots, right]
      if (all.length === 0) return emptyRoot(sha256)
      return all.reduceRight((made, left) => nodeHash(sha256, left, made))
    },
  }
}

/** Leaves beside each other, of which a proof has the root. */
export interface Range {
  readonly from: number
  /** The first that is not of it. */
  readonly to: number
}

/**
 * The audit path of a leaf, nearest sibling first: `PATH` of the RFC.
 * @param hashes of all leaves
 * @throws RangeError where there is no such leaf
 */
export const inclusionProof = (sha256: Sha256, index: number, hashes: readonly Uint8Array[]): Uint8Array[] =>
  inclusionRanges(index, hashes.length).map(({ from, to }) => rootOf(sha256, hashes.slice(from, to)))

/** Of which leaves `inclusionProof` has the roots, in its order. @throws RangeError where there is no such leaf */
export function inclusionRanges(index: number, size: number): readonly Range[] {
  if (!(Number.isInteger(index) && index >= 0 && index < size)) throw new RangeError('no such leaf')
  const ranges: Range[] = []
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const split = from + splitOf(to - from)
    ranges.unshift(index < split ? { from: split, to } : { from, to: split })
    if (index < split) to = split
    else from = split
  }
  return ranges
}

/** A leaf that is said to be in a tree. */
export interface Inclusion {
  readonly index: number
  readonly size: number
  /** The leaf's hash. */
  readonly hash: Uint8Array
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** Is the leaf where it is said to be? (RFC 9162, section 2.1.3.2.) */
export function isIncluded(sha256: Sha256, { index, size, hash, proof, root }: Inclusion): boolean {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return false
  let [place, last, made] = [index, size - 1, hash]
  for (const sibling of proof) {
    if (last === 0) return false
    if (place % 2 === 1 || place === last) {
      made = nodeHash(sha256, sibling, made)
      // A node without a sibling goes up as it is.
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)]
    } else made = nodeHash(sha256, made, sibling)
    ;[place, last] = [Math.floor(place / 2), Math.floor(last / 2)]
  }
  return last === 0 && isSame(made, root)
}

/**
 * What shows that the tree of the first leaves is the beginning of the whole one: `PROOF` of the RFC. Empty where the
 * older one is empty or the same.
 * @param older its size, at most that of the whole
 */
export const consistencyProof = (
  sha256: Sha256,
  older: number,
  hashes: readonly Uint8Array[],
): Uint8Array[] =>
  consistencyRanges(older, hashes.length).map(({ from, to }) => rootOf(sha256, hashes.slice(from, to)))

/**
 * Of which leaves `consistencyProof` has the roots, in its order. No two of them overlap.
 * @throws RangeError where there was no such size
 */
export function consistencyRanges(older: number, size: number): readonly Range[] {
  if (!(Number.isInteger(older) && older >= 0 && older <= size)) throw new RangeError('no such size')
  return older === 0 || older === size ? [] : subranges(older, { from: 0, to: size }, true)
}

function subranges(older: number, { from, to }: Range, isKnown: boolean): Range[] {
  if (older === to) return isKnown ? [] : [{ from, to }]
  const split = from + splitOf(to - from)
  const [left, right] = [
    { from, to: split },
    { from: split, to },
  ]
  return older <= split
    ? [...subranges(older, left, isKnown), right]
    : [...subranges(older, right, false), left]
}

/** Two heads, and what is said to show that the newer one grew out of the older one. */
export interface Consistency {
  readonly older: { readonly size: number; readonly root: Uint8Array }
  readonly newer: { readonly size: number; readonly root: Uint8Array }
  readonly proof: readonly Uint8Array[]
}

/** Did the newer tree grow out of the older one? (RFC 9162, section 2.1.4.2.) */
export function isConsistent(sha256: Sha256, { older, newer, proof }: Consistency): boolean {
  if (older.size > newer.size) return false
  if (older.size === newer.size) return proof.length === 0 && isSame(older.root, newer.root)
  if (older.size === 0) return proof.length === 0 && isSame(older.root, emptyRoot(sha256))
  const isPower = 2 ** Math.floor(Math.log2(older.size)) === older.size
  const [first, ...rest] = isPower ? [older.root, ...proof] : proof
  if (first === undefined) return false
  let [place, last] = [older.size - 1, newer.size - 1]
  while (place % 2 === 1) [place, last] = [(place - 1) / 2, Math.floor(last / 2)]
  let [before, after] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (place % 2 === 1 || place === last) {
      before = nodeHash(sha256, sibling, before)
      after = nodeHash(sha256, sibling, after)
      while (place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)]
    } else after = nodeHash(sha256, after, sibling)
    ;[place, last] = [Math.floor(place / 2), Math.floor(last / 2)]
  }
  return last === 0 && isSame(before, older.root) && isSame(after, newer.root)
}
