import { type Sha256, textOf } from './bytes.ts'
import { readCheckpoint } from './checkpoint.ts'
import { readNote } from './note.ts'
import { growthText, proofText } from './proof.ts'
import { CHECKPOINT_PATH, entriesIn, hashesIn, TILE_WIDTH, type Tile, tileAt, tilePath } from './tiles.ts'
import { consistencyRanges, inclusionRanges, nodeHash, type Range, rootOf } from './tree.ts'

/** The files that proofs are made of. */
export interface ProvingFiles {
  readonly sha256: Sha256
  /** Reads a file by its path below the log's address; undefined where there is none. */
  read(path: string): Promise<Uint8Array | undefined>
}

/**
 * Makes the proof that a line stands in the newest log, out of a few tiles.
 * @param index from 0
 * @returns undefined where there is no such line
 */
export async function proveLine(files: ProvingFiles, index: number): Promise<string | undefined> {
  const head = await headIn(files)
  if (head === undefined || index >= head.size) return undefined
  const { size, note } = head
  const place = Math.floor(index / TILE_WIDTH)
  const tile = tileAt('entries', size, place)
  const entry = textOf(entriesIn(await tileIn(files, tile), tile.width)[index % TILE_WIDTH]!)
  const hashes = await rootsOf(files, size, inclusionRanges(index, size))
  return proofText({ entry, index, hashes, note })
}

/**
 * Makes the proof that the newest log begins with the lines of an earlier one.
 * @param older lines of then
 * @returns undefined where the log never had so many lines
 */
export async function proveGrowth(files: ProvingFiles, older: number): Promise<string | undefined> {
  const head = await headIn(files)
  if (head === undefined || older === 0 || older > head.size) return undefined
  const { size, note } = head
  const [root] = await rootsOf(files, size, [{ from: 0, to: older }])
  const hashes = await rootsOf(files, size, consistencyRanges(older, size))
  return growthText({ older, root: root!, hashes, note })
}

async function headIn({ read }: ProvingFiles): Promise<{ size: number; note: string } | undefined> {
  const bytes = await read(CHECKPOINT_PATH)
  if (bytes === undefined) return undefined
  const note = textOf(bytes)
  return { size: readCheckpoint(readNote(note).text).size, note }
}

async function tileIn({ read }: ProvingFiles, tile: Tile): Promise<Uint8Array> {
  const bytes = await read(tilePath(tile))
  if (bytes === undefined) throw new Error(`The public ledger has no ${tilePath(tile)}.`)
  return bytes
}

/** The root of each of these ranges, as a proof has them: each begins where a whole subtree as large as it can begin. */
async function rootsOf(files: ProvingFiles, size: number, ranges: readonly Range[]): Promise<Uint8Array[]> {
  const tiles = new Map<string, readonly Uint8Array[]>()
  const hashesOf = async (tile: Tile): Promise<readonly Uint8Array[]> => {
    const path = tilePath(tile)
    const hashes = tiles.get(path) ?? hashesIn(await tileIn(files, tile), tile.width)
    tiles.set(path, hashes)
    return hashes
  }
  /** @param width a power of two, of which `from` is a multiple */
  const subtree = async (from: number, width: number): Promise<Uint8Array> => {
    let [level, unit] = [0, 1]
    while (unit * TILE_WIDTH <= width) [level, unit] = [level + 1, unit * TILE_WIDTH]
    const place = from / unit
    const tile = tileAt(level, Math.floor(size / unit), Math.floor(place / TILE_WIDTH))
    const at = place % TILE_WIDTH
    return rootOf(files.sha256, (await hashesOf(tile)).slice(at, at + width / unit))
  }
  const roots: Uint8Array[] = []
  for (const { from, to } of ranges) {
    const subtrees: Uint8Array[] = []
    for (let [at, width] = [from, 1]; at < to; at += width) {
      width = 2 ** Math.floor(Math.log2(to - at))
      subtrees.push(await subtree(at, width))
    }
    roots.push(subtrees.reduceRight((right, left) => nodeHash(files.sha256, left, right)))
  }
  return roots
}
