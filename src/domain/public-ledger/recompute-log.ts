import { bytesOf } from './bytes.ts'
import type { VerifyBeacon } from './drand.ts'
import { type Leaf, leafText } from './leaf.ts'
import { type Recomputed, recompute } from './recompute.ts'
import { leafHash, rootOf } from './tree.ts'
import { type LogFiles, type VerifiedLog, verifyLog } from './verify.ts'

/** A line about an unused card, computed again. */
export interface RecomputedLine {
  /** From 0. */
  readonly index: number
  readonly leaf: Leaf
  readonly found: Recomputed
}

export interface RecomputedLog extends VerifiedLog {
  readonly draws: readonly RecomputedLine[]
  /** The root over so many lines from the first; undefined where there are fewer. */
  rootAt(size: number): Uint8Array | undefined
}

interface RecomputingFiles extends LogFiles {
  readonly verifyBeacon: VerifyBeacon
  /** Which draws are computed again, by the places of their lines, from 0; all when missing. */
  readonly isWanted?: (index: number) => boolean
}

/**
 * Verifies every file of a log, and computes the draws in it again.
 * @param onDraw called before each draw with how many are done, so that a long work can rest
 * @throws LedgerFault
 */
export async function recomputeLog(
  files: RecomputingFiles,
  onDraw: (done: number) => Promise<void> = async () => {},
): Promise<RecomputedLog> {
  const { sha256, isWanted = () => true } = files
  const announcements = new Map<number, Leaf>()
  /** Where a card was announced first. */
  const firstIn = new Map<string, number>()
  const drawn: { readonly index: number; readonly leaf: Leaf }[] = []
  const hashes: Uint8Array[] = []
  const verified = await verifyLog({
    ...files,
    onLeaf(leaf, index) {
      files.onLeaf?.(leaf, index)
      hashes.push(leafHash(sha256, bytesOf(leafText(leaf))))
      if (leaf.announcement) {
        announcements.set(index, leaf)
        for (const blind of leaf.announcement.blinds) if (!firstIn.has(blind)) firstIn.set(blind, index)
      }
      if (leaf.draw && isWanted(index)) drawn.push({ index, leaf })
    },
  })
  const tools = { ...files, verifyBeacon: remembered(files.verifyBeacon) }
  const { origin } = verified.checkpoint
  const rootAt = (size: number): Uint8Array | undefined =>
    size <= hashes.length ? rootOf(sha256, hashes.slice(0, size)) : undefined
  const draws: RecomputedLine[] = []
  for (const { index, leaf } of drawn) {
    await onDraw(draws.length)
    const found = await recompute(tools, {
      leaf,
      index,
      lineAt: async place => announcements.get(place),
      async headAt(size) {
        const root = rootAt(size)
        return root && { origin, root }
      },
    })
    draws.push({ index, leaf, found: ofFirst(found, leaf, firstIn) })
  }
  return { ...verified, draws, rootAt }
}

/** What was announced is drawn by its first announcement: whoever could take another one could wait for what it draws. */
function ofFirst(found: Recomputed, { proof }: Leaf, firstIn: ReadonlyMap<string, number>): Recomputed {
  const first = firstIn.get(String(proof))
  const isOther =
    found.outcome === 'same'
      ? first !== found.announcement
      : found.outcome === 'chance' && first !== undefined
  return isOther ? { outcome: 'wrong', fault: 'twice' } : found
}

/** Many cards are drawn for by one value: its signature is verified once. */
function remembered(verify: VerifyBeacon): VerifyBeacon {
  const known = new Map<string, boolean>()
  return (publicKey, message, signature) => {
    const key = [publicKey, message, signature].map(each => each.join()).join(';')
    const fits = known.get(key) ?? verify(publicKey, message, signature)
    known.set(key, fits)
    return fits
  }
}
