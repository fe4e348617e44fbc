import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Verifier } from '#domain/public-ledger/note.ts'
import { type RecomputedLog, recomputeLog } from '#domain/public-ledger/recompute-log.ts'
import { CHECKPOINT_PATH, tilePath, tilesOf } from '#domain/public-ledger/tiles.ts'
import { LedgerFault } from '#domain/public-ledger/verify.ts'
import { readIfThere } from '#server/platform/files.ts'
import { verifyBeacon } from './beacon.ts'
import { sha256 } from './sha256.ts'
import { verifySignature } from './signer.ts'

/**
 * Verifies every file in a folder of a public ledger, and computes its draws again. Beside those of its head there may be
 * tiles of earlier heads, which are the beginnings of today's.
 * @param witnesses whose lines under the head are verified and named
 * @throws LedgerFault
 */
export async function verifyFolder(
  folder: string,
  verifier: Verifier,
  witnesses: readonly Verifier[] = [],
): Promise<RecomputedLog> {
  const read = (path: string) => readIfThere(join(folder, path))
  const verified = await recomputeLog({
    read,
    verifier,
    witnesses,
    sha256,
    verify: verifySignature,
    verifyBeacon,
  })
  const tiles = tilesOf(verified.checkpoint.size).map(tilePath)
  const known = new Set([CHECKPOINT_PATH, ...tiles])
  const byPlace = new Map(tiles.map(path => [placeOf(path), path]))
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name))
    if (entry.isDirectory() || known.has(path)) continue
    const now = path.includes('.p/') ? byPlace.get(placeOf(path)) : undefined
    if (now === undefined) throw new LedgerFault(path, 'is no file of the log')
    const [earlier, whole] = await Promise.all([read(path), read(now)])
    if (!Buffer.from(whole!).subarray(0, earlier!.length).equals(earlier!))
      throw new LedgerFault(path, 'is not the beginning of its tile')
  }
  return verified
}

/** The path of a tile without its width. */
const placeOf = (path: string): string => path.replace(/\.p\/\d+$/, '')
