/** What checks the public ledger in the browser, as a file of its own: fetched once somebody presses. */
import { hashes, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import type { Leaf } from '#domain/public-ledger/leaf.ts'
import { verifyLine } from '#domain/public-ledger/line.ts'
import { readVerifier } from '#domain/public-ledger/note.ts'
import { isOwn, type OwnLine } from '#domain/public-ledger/passport.ts'
import { CHECKPOINT_PATH } from '#domain/public-ledger/tiles.ts'
import { LedgerFault, type LogFiles, type Sums, verifyLog } from '#domain/public-ledger/verify.ts'
import { type Cosignature, readWitness } from '#domain/public-ledger/witness.ts'

// Not the browser's own: pages without TLS have none, and not every browser knows Ed25519.
hashes.sha512 = sha512

/** What came of checking. A fault is told in the words of the format: it is for whoever looks into it. */
export type Checked<Found> =
  | { readonly outcome: 'good'; readonly found: Found }
  | { readonly outcome: 'bad'; readonly fault: string }
  | { readonly outcome: 'none' | 'no-answer' | 'stopped' }

export interface Asked {
  /** The key as people write it. */
  readonly verifierText: string
  /** The keys of witnesses, as people write them; none when missing. */
  readonly witnessTexts?: readonly string[]
  /** Where the files lie, with the slash at its end. */
  readonly address: string
  readonly signal: AbortSignal
}

/** The files could not be had; whether they are in order is not known. */
class NoAnswer extends Error {}

/** The files of a log as they are read over the network. */
export const filesOf = ({ verifierText, witnessTexts = [], address, signal }: Asked): LogFiles => ({
  sha256,
  verify: (publicKey, message, signature) => verify(signature, message, publicKey),
  verifier: readVerifier(sha256, verifierText),
  witnesses: witnessTexts.map(text => readWitness(sha256, text)),
  async read(path) {
    // The head is asked for anew: one that is kept would not be of the tiles that are there now.
    const cache = path === CHECKPOINT_PATH ? 'no-store' : 'default'
    const answer = await fetch(address + path, { signal, cache }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new NoAnswer()
    })
    if (answer.status === 404) return undefined
    if (!answer.ok) throw new NoAnswer()
    return new Uint8Array(await answer.arrayBuffer())
  },
})

/** @param onLine called with the number of lines that are checked */
export function checkAll(
  asked: Asked,
  onLine: (lines: number) => void,
): Promise<
  Checked<{
    readonly size: number
    readonly sums: Sums
    /** Witnesses that have signed the same head. */
    readonly cosignatures: readonly Cosignature[]
    /** Where the log goes on after a backup: from which line, from 1, and how many had been published. */
    readonly restored: readonly { readonly line: number; readonly lost: number }[]
  }>
> {
  return told(asked, async () => {
    const files = filesOf(asked)
    const { checkpoint, stated, sums } = await verifyLog({
      ...files,
      onLeaf: (_, index) => onLine(index + 1),
    })
    const restored = stated.flatMap(({ index, statement: [, , , , size] }) =>
      size === undefined ? [] : [{ line: index + 1, lost: size }],
    )
    return { size: checkpoint.size, sums, cosignatures: checkpoint.cosignatures, restored }
  })
}

/** @param number from 1 */
export function checkLine(asked: Asked, number: number): Promise<Checked<Leaf>> {
  return told(asked, async () => (await verifyLine(filesOf(asked), number - 1)).leaf)
}

/** Checks that a line stands there, and that it is of whoever was handed this. */
export function checkOwn(asked: Asked, own: OwnLine): Promise<Checked<Leaf>> {
  return told(asked, async () => {
    const { leaf } = await verifyLine(filesOf(asked), own.number - 1)
    if (!isOwn(sha256, leaf, own)) throw new LedgerFault(`line ${own.number}`, 'is not of this card')
    return leaf
  })
}

/** What came of checking. @throws what is no fault of the files */
export async function told<Found>({ signal }: Asked, work: () => Promise<Found>): Promise<Checked<Found>> {
  try {
    return { outcome: 'good', found: await work() }
  } catch (error) {
    if (signal.aborted) return { outcome: 'stopped' }
    if (error instanceof NoAnswer) return { outcome: 'no-answer' }
    if (error instanceof RangeError) return { outcome: 'none' }
    if (error instanceof LedgerFault) return { outcome: 'bad', fault: error.message }
    throw error
  }
}
