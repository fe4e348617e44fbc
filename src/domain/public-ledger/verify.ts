import type { Currency } from '../money/currency.ts'
import { isSame, joined, type Sha256, textOf } from './bytes.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { type Leaf, NGO_ACCOUNT, readLeaf } from './leaf.ts'
import { openNote, readNote, signerOf, type Verifier, type VerifySignature } from './note.ts'
import type { ReceivedStatement } from './statements.ts'
import { keyAfter, type StatedKey } from './succession.ts'
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
  /** The key that signs now: the known one, or one that followed it. */
  readonly key: Verifier
  /** Where the keys of the log name their next ones. */
  readonly stated: readonly StatedKey[]
  readonly sums: Sums
}

/**
 * Verifies every file of a log: the signature of its head, each tile, each entry, and that every entry sums to zero and
 * stands there once.
 * @throws LedgerFault naming the first file that is not as it must be
 */
export async function verifyLog(files: LogFiles): Promise<VerifiedLog> {
  const { sha256 } = files
  // Who may have signed it is known once the lines are read.
  const checkpoint = await unsignedHead(files)
  const stated: StatedKey[] = []
  /** What the payouts of a line are, by its number; and the confirmations that stand, by the line they are of. */
  const payouts = new Map<number, string>()
  const confirmed = new Map<number, number>()
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
      asFault(tilePath(tile), () => {
        if (leaf.received !== undefined) confirm(leaf.received, leaf.currency, payouts, confirmed)
      })
      if (leaf.cause === 'payout') payouts.set(hashes.length + 1, payoutOf(leaf))
      if (leaf.key !== undefined)
        stated.push({ index: hashes.length, root: frontier.root(), statement: leaf.key })
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
  const key = await keyAfter(files.verifier, stated, files).catch((error: unknown) => {
    throw new LedgerFault(CHECKPOINT_PATH, (error as Error).message)
  })
  return { checkpoint: await headIn(files, await readHead(files.read), key), key, stated, sums }
}

/** The organisation, currency and year of a line of payouts, and what they are. */
const payoutOf = ({ currency, day, amounts }: Leaf): string =>
  JSON.stringify([currency, day.slice(0, 4), amounts.filter(([account]) => account.startsWith(NGO_ACCOUNT))])

/** A line is confirmed once, by its own amount, before that is taken back. @throws RangeError */
function confirm(
  [line, ngoId, year, amount]: ReceivedStatement,
  currency: Currency,
  payouts: ReadonlyMap<number, string>,
  confirmed: Map<number, number>,
): void {
  const before = confirmed.get(line) ?? 0
  const own = JSON.stringify([currency, year, [[NGO_ACCOUNT + ngoId, -Math.abs(amount)]]])
  if (payouts.get(line) !== own) throw new RangeError('a confirmation is of no such payout')
  if (before + amount !== 0 && before !== 0) throw new RangeError('a payout is confirmed twice')
  if (before === 0 && amount < 0) throw new RangeError('a confirmation is taken back that is none')
  confirmed.set(line, before + amount)
}

/**
 * A head that is signed.
 * @param key that has to have signed it
 * @throws LedgerFault
 */
export async function headIn(
  { witnesses = [], sha256, verify }: Pick<LogFiles, 'witnesses' | 'sha256' | 'verify'>,
  note: string,
  key: Verifier,
): Promise<SignedHead> {
  let head: SignedHead
  try {
    const checkpoint = readCheckpoint(await openNote(note, [key], { sha256, verify }))
    const cosignatures = await cosignaturesIn(readNote(note), witnesses, { sha256, verify })
    head = { ...checkpoint, cosignatures }
  } catch (error) {
    throw new LedgerFault(CHECKPOINT_PATH, (error as Error).message)
  }
  if (head.origin !== key.name) throw new LedgerFault(CHECKPOINT_PATH, 'is the head of another log')
  return head
}

/** The head, whoever has signed it. @throws LedgerFault */
async function unsignedHead({ read }: Pick<LogFiles, 'read'>): Promise<Checkpoint> {
  const note = await readHead(read)
  return asFault(CHECKPOINT_PATH, () => readCheckpoint(readNote(note).text))
}

/** Is a head signed by the known key? It may be by one that followed. @throws LedgerFault where it is no head */
export async function isSignedBy(
  { verifier, sha256, verify }: Pick<LogFiles, 'verifier' | 'sha256' | 'verify'>,
  note: string,
): Promise<boolean> {
  const { signatures } = asFault(CHECKPOINT_PATH, () => readNote(note))
  if (!signatures.some(each => signerOf(sha256, each, [verifier]))) return false
  return openNote(note, [verifier], { sha256, verify }).then(
    () => true,
    (error: unknown) => {
      throw new LedgerFault(CHECKPOINT_PATH, (error as Error).message)
    },
  )
}

/** The newest head, of which nothing is verified yet. @throws LedgerFault */
export async function readHead(read: LogFiles['read']): Promise<string> {
  const bytes = await read(CHECKPOINT_PATH)
  if (bytes === undefined) throw new LedgerFault(CHECKPOINT_PATH, 'is missing')
  return asFault(CHECKPOINT_PATH, () => textOf(bytes))
}

/** Reads a tile and what is in it. @throws LedgerFault where it is missing, or not as it must be */
async function within<Result>(
  { read }: Pick<LogFiles, 'read'>,
  tile: Tile,
  use: (bytes: Uint8Array) => Result,
): Promise<Result> {
  const path = tilePath(tile)
  const bytes = await read(path)
  if (bytes === undefined) throw new LedgerFault(path, 'is missing')
  return asFault(path, () => use(bytes))
}

/** What goes wrong with the content of a file is a fault of this file. @throws LedgerFault */
export function asFault<Result>(path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw new LedgerFault(path, (error as Error).message)
  }
}
