import { bytesOf, textOf, toBase64 } from './bytes.ts'
import { type Leaf, readLeaf } from './leaf.ts'
import type { Verifier } from './note.ts'
import { growthPath, proofPath, readGrowth, readProof } from './proof.ts'
import { CHECKPOINT_PATH } from './tiles.ts'
import { isConsistent, isIncluded, leafHash } from './tree.ts'
import {
  asFault,
  headIn,
  isSignedBy,
  LedgerFault,
  type LogFiles,
  readHead,
  type SignedHead,
} from './verify.ts'

/** What verifying one line needs. */
export interface LineFiles extends Omit<LogFiles, 'onLeaf'> {
  /** The key that signs now, which the lines of the log say: asked for where the known one has not signed the head. */
  keyNow(): Promise<Verifier>
}

export interface VerifiedLine {
  readonly checkpoint: SignedHead
  readonly leaf: Leaf
}

/**
 * Verifies that one line stands in the signed log, by a proof whose root is computed again: no more is believed of whoever
 * serves it than of all files.
 * @param index from 0
 * @throws RangeError where the log has no such line; LedgerFault naming the file that is not as it must be
 */
export async function verifyLine(files: LineFiles, index: number): Promise<VerifiedLine> {
  if (!(Number.isSafeInteger(index) && index >= 0)) throw new RangeError('no such line')
  const path = proofPath(index)
  const bytes = await files.read(path)
  if (bytes === undefined) {
    if (index >= (await newestHead(files)).size) throw new RangeError('no such line')
    throw new LedgerFault(path, 'is missing')
  }
  const proof = asFault(path, () => readProof(textOf(bytes)))
  const checkpoint = await signedHead(files, proof.note)
  const { size, root } = checkpoint
  const hash = leafHash(files.sha256, bytesOf(proof.entry))
  if (proof.index !== index || !isIncluded(files.sha256, { index, size, hash, proof: proof.hashes, root }))
    throw new LedgerFault(path, 'the line is not the one that was signed')
  return { checkpoint, leaf: asFault(path, () => readLeaf(proof.entry)) }
}

/** So many letters of the root are enough to tell one ledger from another. */
export const ROOT_LETTERS = 8

/** What somebody has kept of an earlier head. */
export interface KeptHead {
  /** Lines of then. */
  readonly size: number
  /** How its root began, in base64. */
  readonly letters: string
}

/**
 * Verifies that the signed log of today begins with the lines that somebody has kept the head of.
 * @throws LedgerFault saying what is not as it must be
 */
export async function verifyGrowth(files: LineFiles, { size, letters }: KeptHead): Promise<SignedHead> {
  const path = growthPath(size)
  const bytes = await files.read(path)
  if (bytes === undefined) {
    const { size: now } = await newestHead(files)
    throw size > now
      ? new LedgerFault(CHECKPOINT_PATH, `has ${now} lines, fewer than ${size}`)
      : new LedgerFault(path, 'is missing')
  }
  const { older, root, hashes, note } = asFault(path, () => readGrowth(textOf(bytes)))
  const newer = await signedHead(files, note)
  if (older !== size || !isConsistent(files.sha256, { older: { size, root }, newer, proof: hashes }))
    throw new LedgerFault(path, 'does not lead to the head that is signed')
  const begins = toBase64(root).slice(0, letters.length)
  if (begins !== letters) throw new LedgerFault(path, `the root over ${size} lines begins with ${begins}`)
  return newer
}

const KEPT = /^([1-9]\d{0,14}):([A-Za-z0-9+/]{8,43}=?)$/

/** Reads what a mail says of a head, as people write it for a program: `24:AbCdEfGh`. @throws RangeError */
export function readKeptHead(text: string): KeptHead {
  const [, size, letters] = KEPT.exec(text) ?? []
  if (size === undefined || letters === undefined) throw new RangeError('no head that somebody kept')
  return { size: Number(size), letters }
}

const newestHead = async (files: LineFiles): Promise<SignedHead> =>
  signedHead(files, await readHead(files.read))

/** A key that was replaced has named the next one in a line: which one, all lines say. @throws LedgerFault */
const signedHead = async (files: LineFiles, note: string): Promise<SignedHead> =>
  headIn(files, note, (await isSignedBy(files, note)) ? files.verifier : await files.keyNow())
