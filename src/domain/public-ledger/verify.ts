import type { Currency } from '../money/currency.ts'
import { isSame, joined, type Sha256, textOf } from './bytes.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { type Leaf, readLeaf } from './leaf.ts'
import { openNote, readNote, type Verifier, type VerifySignature } from './note.ts'
import { CHECKPOINT_PATH, entriesIn, levelAbove, TILE_WIDTH, type Tile, tilePath, tilesOf } from './tiles.ts'
import { createFrontier, leafHash } from './tree.ts'
import { type Cosignature, cosignaturesIn } from './witness.ts'

/** Something in the files is not as it must be. */
export class LedgerFault extends Error {
  override readonly name = 'LedgerFault'
  /** The file, below the log's address. */
  readonly path: string

  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.path = path
  }
}

/** What verifying needs of the world. */
export interface VerifyingTools {
  readonly sha256: Sha256
  readonly verify: VerifySignature
}

export interface LogFiles extends VerifyingTools {
  /** Reads a file by its path below the log's address; undefined where there is none. */
  read(path: string): Promise<Uint8Array | undefined>
  readonly verifier: Verifier
  /** Witnesses whose signatures of the head count; nobody has to have signed. None when missing. */
  readonly witnesses?: readonly Verifier[]
  /** Called with each leaf in turn, once its tile is in order. Whether it is in the signed tree is known at the end. */
  readonly onLeaf?: (leaf: Leaf, index: number) => void
}

/** A head that is signed, and which of the known witnesses have seen it. */
export interface SignedHead extends Checkpoint {
  readonly cosignatures: readonly Cosignature[]
}

/** The balance of every account, by currency, in minor units. */
export type Sums = ReadonlyMap<Currency, ReadonlyMap<string, number>>

export interface VerifiedLog {
  readonly checkpoint: SignedHead
  readonly sums: Sums
}

/**
 * Verifies every file of a log: the signature of its head, each tile, each entry, and that every entry sums to zero and
 * stands there once.
 * @throws LedgerFault naming the first file that is not as it must be
 */
export async function verifyLog(files: LogFiles): Promise<VerifiedLog> {
  const { sha256 } = files
  const checkpoint = await headOf(files)
  const seen = new Set<string>()
  const sums = new Map<Currency, Map<string, number>>()
  const frontier = createFrontier(sha256)
  let hashes: Uint8Array[] = []
  for (const tile of tilesOf(checkpoint.size)) {
    if (tile.level !== 'entries') break
    const entries = await within(files, tile, bytes => entriesIn(bytes, tile.width))
    for (const entry of entries) {
      const leaf = asFault(tilePath(tile), () => readLeaf(textOf(entry)))
      for (const each of [leaf.proof].flat()) {
        if (seen.has(each)) throw new LedgerFault(tilePath(tile), 'an entry stands there twice')
        seen.add(each)
      }
      const balances = sums.get(leaf.currency) ?? new Map<string, number>()
      for (const [account, amount] of leaf.amounts)
        balances.set(account, (balances.get(account) ?? 0) + amount)
      sums.set(leaf.currency, balances)
      const hash = leafHash(sha256, entry)
      files.onLeaf?.(leaf, hashes.length)
      hashes.push(hash)
      frontier.add(hash)
    }
  }
  if (!isSame(frontier.root(), checkpoint.root))
    throw new LedgerFault(CHECKPOINT_PATH, 'the entries are not those that were signed')
  for (let level = 0; hashes.length > 0; level++, hashes = levelAbove(sha256, hashes)) {
    for (const tile of tilesOf(checkpoint.size).filter(each => each.level === level)) {
      const at = tile.index * TILE_WIDTH
      const expected = joined(...hashes.slice(at, at + tile.width))
      await within(files, tile, bytes => {
        if (!isSame(bytes, expected)) throw new RangeError('its hashes are not those of its entries')
      })
    }
  }
  return { checkpoint, sums }
}

/** The signed head of a log. @throws LedgerFault */
export async function headOf({
  read,
  verifier,
  witnesses = [],
  sha256,
  verify,
}: Pick<LogFiles, 'read' | 'verifier' | 'witnesses' | 'sha256' | 'verify'>): Promise<SignedHead> {
  const bytes = await read(CHECKPOINT_PATH)
  if (bytes === undefined) throw new LedgerFault(CHECKPOINT_PATH, 'is missing')
  let head: SignedHead
  try {
    const note = textOf(bytes)
    const checkpoint = readCheckpoint(await openNote(note, [verifier], { sha256, verify }))
    const cosignatures = await cosignaturesIn(readNote(note), witnesses, { sha256, verify })
    head = { ...checkpoint, cosignatures }
  } catch (error) {
    throw new LedgerFault(CHECKPOINT_PATH, (error as Error).message)
  }
  if (head.origin !== verifier.name) throw new LedgerFault(CHECKPOINT_PATH, 'is the head of another log')
  return head
}

/** Reads a tile and what is in it. @throws LedgerFault where it is missing, or not as it must be */
export async function within<Result>(
  { read }: Pick<LogFiles, 'read'>,
  tile: Tile,
  use: (bytes: Uint8Array) => Result,
): Promise<Result> {
  const path = tilePath(tile)
  const bytes = await read(path)
  if (bytes === undefined) throw new LedgerFault(path, 'is missing')
  return asFault(path, () => use(bytes))
}

function asFault<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new LedgerFault(path, (error as Error).message)
  }
}
