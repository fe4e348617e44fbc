import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytesOf, joined, toHex } from '#domain/public-ledger/bytes.ts'
import { bundleOf, CHECKPOINT_PATH, TILE_WIDTH, type Tile, tilePath } from '#domain/public-ledger/tiles.ts'
import { createFrontier, rootOf } from '#domain/public-ledger/tree.ts'
import { MOST_WITNESSES } from '#domain/public-ledger/witness.ts'
import type { Database } from '#server/platform/db/database.ts'
import { isThere, readIfThere, writeWhole } from '#server/platform/files.ts'
import { type Head, hashesFrom, lastHead, leavesFrom } from './heads.ts'
import { forksIn, forksOf, originIn } from './keys.ts'
import { LedgerAltered } from './sequence.ts'
import { sha256 } from './sha256.ts'
import { cosignaturesOf, type KeptCosignature } from './witnesses.ts'

/** Where a site's files of the public ledger lie. They can be made again from the database at any time. */
export const ledgerFolder = (dataDir: string): string => join(dataDir, 'ledger')

/** Where those of the log after so many forks lie: what was published under an earlier name stays as it is. */
export const folderAfter = (folder: string, forks: number): string =>
  forks === 0 ? folder : `${folder}-${forks + 1}`

export interface DeriveTools {
  readonly db: Database
  readonly folder: string
  /** Called between pages of long work. */
  readonly goOn: () => Promise<void>
}

/**
 * Writes the files of the log that are missing, the signed head last: whoever reads it finds everything that it covers.
 * Tiles of earlier heads stay until the whole tile is there.
 * @returns the size of the log
 * @throws LedgerAltered where the leaves in the database are not those of the head, or the head that is published is none of
 *   its heads
 */
export async function deriveFiles({ db, folder: base, goOn }: DeriveTools): Promise<number> {
  await refuseFork(db, base)
  const head = await db.read(lastHead)
  if (head === undefined) return 0
  // What is published stays until the log goes on under its new name.
  if (await isForkPending(db, head)) return head.size
  return writeFiles({ db, folder: folderAfter(base, forksIn(originIn(head.note))), goOn })
}

/**
 * Writes the files of the newest head that are missing to a folder, whatever name the log has.
 * @returns the size of the log
 * @throws LedgerAltered where the leaves in the database are not those of the head
 */
export async function writeFiles({ db, folder, goOn }: DeriveTools): Promise<number> {
  const head = await db.read(lastHead)
  if (head === undefined) return 0
  const wanted = await db.read(async reader => withWitnesses(head, await cosignaturesOf(reader, head.size)))
  const published = await publishedNote(folder)
  if (published === wanted) return head.size
  const checkpoint = join(folder, CHECKPOINT_PATH)
  if (published?.startsWith(head.note)) {
    // Witnesses have signed what is there already.
    await writeWhole(checkpoint, wanted)
    return head.size
  }
  const frontier = createFrontier(sha256)
  /** The hashes of each level that are in no whole tile yet, and how many tiles were whole before. */
  const levels: { readonly hashes: Uint8Array[]; whole: number }[] = []
  const todo: Tile[] = []
  const contents = new Map<Tile, Uint8Array>()
  const add = (level: number, hash: Uint8Array): void => {
    levels[level] ??= { hashes: [], whole: 0 }
    const { hashes } = levels[level]
    hashes.push(hash)
    if (hashes.length < TILE_WIDTH) return
    close(level)
    add(level + 1, rootOf(sha256, hashes.splice(0)))
    levels[level].whole++
  }
  const close = (level: number): void => {
    const { hashes, whole } = levels[level]!
    const tile: Tile = { level, index: whole, width: hashes.length }
    contents.set(tile, joined(...hashes))
    todo.push(tile)
    if (level === 0) todo.push({ ...tile, level: 'entries' })
  }
  const flush = async (): Promise<void> => {
    for (const tile of todo.splice(0)) await write({ db, folder }, tile, contents.get(tile))
    contents.clear()
    await goOn()
  }
  await hashesFrom(db, { from: 0, to: head.size, goOn: flush }, hash => {
    frontier.add(hash)
    add(0, hash)
  })
  if (frontier.size() !== head.size || toHex(frontier.root()) !== head.root)
    throw new LedgerAltered('The lines of the public ledger are not those that were signed.')
  for (const [level, { hashes }] of levels.entries()) if (hashes.length > 0) close(level)
  await flush()
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeWhole(checkpoint, wanted)
  return head.size
}

/**
 * Refuses to go on where the head that is published is none of the database's: an older backup was brought back. Going on
 * would show two logs under one name.
 * @throws LedgerAltered
 */
export async function refuseFork(db: Database, base: string): Promise<void> {
  const head = await db.read(lastHead)
  if (await isForkPending(db, head)) return
  const published = await publishedNote(
    folderAfter(base, head === undefined ? 0 : forksIn(originIn(head.note))),
  )
  if (published === undefined) return
  const known = await db.read(reader =>
    reader.selectFrom('ledger_heads').select('note').where('size', '=', sizeIn(published)).executeTakeFirst(),
  )
  if (!(known && published.startsWith(known.note)))
    throw new LedgerAltered(
      'The head that is published is none of this database: an older backup was brought back. `npm run ops -- ledger continue` goes on with the log.',
    )
}

/** Is it noted that the log goes on under another name, and nothing signed under it yet? */
const isForkPending = async (db: Database, head: Head | undefined): Promise<boolean> =>
  (head === undefined ? 0 : forksIn(originIn(head.note))) < (await db.read(forksOf)).count

/** The head that is published; undefined before the first. */
const publishedNote = async (folder: string): Promise<string | undefined> =>
  (await readIfThere(join(folder, CHECKPOINT_PATH)))?.toString('utf8')

/** A head as it is served: with the lines of witnesses behind the log's own. */
const withWitnesses = (head: Head, cosignatures: readonly KeptCosignature[]): string =>
  head.note +
  cosignatures
    .slice(0, MOST_WITNESSES)
    .map(({ line }) => line)
    .join('')

/** How many lines a head says it is over; -1 where it is none. */
const sizeIn = (note: string): number => {
  const size = note.split('\n')[1] ?? ''
  return /^\d{1,15}$/.test(size) ? Number(size) : -1
}

/** @param hashes the content; missing for entries, which are read when they are needed */
async function write(
  { db, folder }: Pick<DeriveTools, 'db' | 'folder'>,
  tile: Tile,
  hashes: Uint8Array | undefined,
): Promise<void> {
  const file = join(folder, tilePath(tile))
  if (await isThere(file)) return
  const from = tile.index * TILE_WIDTH
  const content =
    hashes ?? bundleOf((await db.read(reader => leavesFrom(reader, from, from + tile.width))).map(bytesOf))
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(file, content)
  if (tile.width === TILE_WIDTH) await rm(`${file}.p`, { recursive: true, force: true })
}
