import { HASH_BYTES, joined, type Sha256 } from './bytes.ts'
import { rootOf } from './tree.ts'

/** The files of a log as C2SP's `tlog-tiles` lays them out. A tile has the hashes of one level, so many at most. */
export const TILE_WIDTH = 256

export const CHECKPOINT_PATH = 'checkpoint'

/** A tile, or with `entries` as its level the entries that its leaves are of. */
export interface Tile {
  readonly level: number | 'entries'
  readonly index: number
  /** 1 to 256: a tile of fewer than 256 is partial. */
  readonly width: number
}

/** Where a tile lies, below the log's address: `tile/0/x001/x234/067`, `tile/entries/000.p/3`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g)!
  const place = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${place}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

/** The paths that `tilePath` can write. */
export const TILE_PATH = /^tile\/(?:entries|\d|[1-5]\d|6[0-3])\/(?:x\d{3}\/)*\d{3}(?:\.p\/[1-9]\d{0,2})?$/

/** Every tile of a log of this size, its entries first; none of an empty one. */
export function tilesOf(size: number): readonly Tile[] {
  const tiles: Tile[] = ofLevel('entries', size)
  for (let [level, hashes] = [0, size]; hashes > 0; hashes = Math.floor(hashes / TILE_WIDTH), level++)
    tiles.push(...ofLevel(level, hashes))
  return tiles
}

function ofLevel(level: Tile['level'], hashes: number): Tile[] {
  return Array.from({ length: Math.ceil(hashes / TILE_WIDTH) }, (_, index) => tileAt(level, hashes, index))
}

/** The tile of a level at a place. @param hashes of the whole level */
export const tileAt = (level: Tile['level'], hashes: number, index: number): Tile => ({
  level,
  index,
  width: Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH),
})

/** The hashes of the level above: one for each whole tile of this one. */
export function levelAbove(sha256: Sha256, hashes: readonly Uint8Array[]): Uint8Array[] {
  const whole = Math.floor(hashes.length / TILE_WIDTH)
  return Array.from({ length: whole }, (_, n) =>
    rootOf(sha256, hashes.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH)),
  )
}

/** @throws RangeError where the bytes are not so many hashes */
export function hashesIn(tile: Uint8Array, width: number): Uint8Array[] {
  if (tile.length !== width * HASH_BYTES) throw new RangeError('a tile of another length')
  return Array.from({ length: width }, (_, n) => tile.slice(n * HASH_BYTES, (n + 1) * HASH_BYTES))
}

/** An entry says its length in two bytes. */
export const LONGEST_ENTRY = 0xffff

/** The file of some entries: each behind its length, two bytes, the greater first. @throws RangeError */
export function bundleOf(entries: readonly Uint8Array[]): Uint8Array {
  const parts = entries.flatMap(entry => {
    if (entry.length > LONGEST_ENTRY) throw new RangeError('an entry is too long')
    return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]
  })
  return joined(...parts)
}

/** @throws RangeError where the file does not hold exactly so many entries */
export function entriesIn(bundle: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = []
  let at = 0
  while (entries.length < width) {
    const [high, low] = [bundle[at], bundle[at + 1]]
    if (high === undefined || low === undefined) throw new RangeError('entries are missing')
    const end = at + 2 + high * 256 + low
    if (end > bundle.length) throw new RangeError('an entry is cut off')
    entries.push(bundle.slice(at + 2, end))
    at = end
  }
  if (at !== bundle.length) throw new RangeError('more entries than there are leaves')
  return entries
}
