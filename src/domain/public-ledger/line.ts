import { isSame, textOf } from './bytes.ts'
import type { Checkpoint } from './checkpoint.ts'
import { type Leaf, readLeaf } from './leaf.ts'
import { CHECKPOINT_PATH, entriesIn, hashesIn, TILE_WIDTH, type Tile, tileAt, tilePath } from './tiles.ts'
import { createFrontier, leafHash, rootOf } from './tree.ts'
import { headOf, isSignedBy, LedgerFault, type LogFiles, verifyLog, within } from './verify.ts'

export interface VerifiedLine {
  readonly checkpoint: Checkpoint
  readonly leaf: Leaf
}

/**
 * Verifies that one line stands in the signed log, with as few files as show it: the head, the entries beside the line, the
 * hashes above them, and the last tile of each level.
 * @param index from 0
 * @throws RangeError where the log has no such line; LedgerFault naming the first file that is not as it must be
 */
export async function verifyLine(files: Omit<LogFiles, 'onLeaf'>, index: number): Promise<VerifiedLine> {
  const { sha256 } = files
  // A key that was replaced has named the next one in a line: which one, all lines say.
  const key = (await isSignedBy(files)) ? files.verifier : (await verifyLog(files)).key
  const checkpoint = await headOf(files, key)
  const { size } = checkpoint
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) throw new RangeError('no such line')

  const readHashes = (tile: Tile) => within(files, tile, bytes => hashesIn(bytes, tile.width))

  let place = Math.floor(index / TILE_WIDTH)
  const entryTile = tileAt('entries', size, place)
  const [leaf, leafHashes] = await within(files, entryTile, bytes => {
    const entries = entriesIn(bytes, entryTile.width)
    const line = readLeaf(textOf(entries[index % TILE_WIDTH]!))
    return [line, entries.map(entry => leafHash(sha256, entry))] as const
  })

  // The tile on the line's way at this level; undefined once the way has come to the last tile of a level.
  let hashes: readonly Uint8Array[] | undefined = leafHashes
  let right: Uint8Array | undefined
  for (
    let [level, count] = [0, size];
    count > 0;
    [level, count] = [level + 1, Math.floor(count / TILE_WIDTH)]
  ) {
    const last = Math.floor(count / TILE_WIDTH)
    const isLast = hashes !== undefined && place === last
    if (count % TILE_WIDTH > 0) {
      const frontier = createFrontier(sha256)
      const edge = isLast ? hashes! : await readHashes(tileAt(level, count, last))
      for (const hash of edge) frontier.add(hash)
      right = frontier.root(right)
    }
    if (hashes === undefined) continue
    if (isLast) {
      hashes = undefined
      continue
    }
    const above = tileAt(level + 1, Math.floor(count / TILE_WIDTH), Math.floor(place / TILE_WIDTH))
    const own = rootOf(sha256, hashes)
    hashes = await readHashes(above)
    if (!isSame(hashes[place % TILE_WIDTH]!, own))
      throw new LedgerFault(tilePath(above), 'its hashes are not those of its entries')
    place = above.index
  }
  if (right === undefined || !isSame(right, checkpoint.root))
    throw new LedgerFault(CHECKPOINT_PATH, 'the entries are not those that were signed')
  return { checkpoint, leaf }
}
