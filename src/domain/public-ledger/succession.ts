import { bytesOf, fromBase64, type Sha256, toBase64 } from './bytes.ts'
import { readVerifier, type Verifier, type VerifySignature, verifierText } from './note.ts'
import type { KeyStatement } from './statements.ts'

/** Where a statement about the key stands in the log. */
export interface StatedKey {
  /** Of its line, from 0. */
  readonly index: number
  /** Over the lines before it. */
  readonly root: Uint8Array
  readonly statement: KeyStatement
}

/**
 * What the old key signs, in lines: this purpose, the two keys, the place in the log, and where the log goes on after a
 * backup, the head of before and why. So it counts in this log, at this place, alone.
 */
export function successionText({ index, root, statement }: StatedKey): string {
  const [, from, next, , ...why] = statement
  return ['public-ledger-key/v1', from, next, index, toBase64(root), ...why].map(each => `${each}\n`).join('')
}

/**
 * Which key signs the heads of a log now, for whoever knows one of its keys: each key of the log has named its next one.
 * @param known the key that is known from elsewhere
 * @throws RangeError where a signature does not fit, a key is not followed by its next one, or the known key is none of them
 */
export async function keyAfter(
  known: Verifier,
  stated: readonly StatedKey[],
  { sha256, verify }: { readonly sha256: Sha256; readonly verify: VerifySignature },
): Promise<Verifier> {
  let current: string | undefined
  const all = new Set<string>()
  for (const each of stated) {
    const [, from, next, signature] = each.statement
    if (current !== undefined && from !== current)
      throw new RangeError('a key is named by another than the last one')
    readVerifier(sha256, next)
    const { publicKey } = readVerifier(sha256, from)
    if (!(await verify(publicKey, bytesOf(successionText(each)), fromBase64(signature))))
      throw new RangeError('the old key has not signed for the new one')
    if (all.has(next)) throw new RangeError('a key that was replaced comes again')
    all.add(from).add(next)
    current = next
  }
  if (current === undefined) return known
  if (!all.has(verifierText(sha256, known))) throw new RangeError('no signature is of a known key')
  return readVerifier(sha256, current)
}
