import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, textOf, toHex } from '#domain/public-ledger/bytes.ts'
import { type Amounts, blindOf, type Cause, commitmentOf, readLeaf } from '#domain/public-ledger/leaf.ts'
import { noteOf, readNote, signerOf, type Verifier } from '#domain/public-ledger/note.ts'
import { entriesIn, tilePath, tilesOf } from '#domain/public-ledger/tiles.ts'
import { createFrontier, leafHash } from '#domain/public-ledger/tree.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import { hashesFrom, lastHead } from './heads.ts'
import { forksIn, forksOf, headIn, type LedgerKeys, signerOfHead } from './keys.ts'
import { sha256 } from './sha256.ts'
import { waitingEntries } from './waiting.ts'

/** How the log of a database that was brought back goes on. */
export type Continued =
  /** Everything that was published is in it. */
  | { readonly how: 'whole' }
  /** Lines that were published after the backup were put in again: the events that they are of are in it. */
  | { readonly how: 'replayed'; readonly lines: number }
  /** It goes on under another name, which its next head says and why. */
  | { readonly how: 'new-name'; readonly size: number }
  /** Lines were published of events that are in it no more. Nothing is published until somebody decides. */
  | { readonly how: 'lacks'; readonly size: number; readonly here: number }

export interface ContinueTools extends LedgerKeys {
  readonly db: Database
  /** Epoch ms UTC. */
  readonly now: number
  /** The newest head that anybody was shown, as it was published. */
  readonly newest: string
  /** Where its files are, where they still are. */
  readonly folder: string
  /** May the log go on under another name? */
  readonly allowNewName: boolean
  readonly goOn: () => Promise<void>
}

/** The head is of another site, or signed by no key that is set here. */
export class StrangeHead extends Error {
  override readonly name = 'StrangeHead'
}

/**
 * Compares the log in the database with the newest head that anybody was shown. A database that lacks published lines gets
 * them again where the events behind all of them are still in it; else it must not go on under the same name, or there would
 * be two logs of one name.
 * @throws StrangeHead
 */
export async function continueLog(tools: ContinueTools): Promise<Continued> {
  const { db, newest, now } = tools
  const shown = headIn(newest)
  const signer = signerOfHead(tools, newest)?.verifier
  if (signer === undefined)
    throw new StrangeHead(
      'The head is not signed by a key that is set here (LEDGER_KEY, LEDGER_KEY_EARLIER).',
    )
  const { count } = await db.read(forksOf)
  // It was left behind already.
  if (forksIn(shown.origin) < count) return { how: 'whole' }
  const head = await db.read(lastHead)
  const here = head?.size ?? 0
  if (here >= shown.size && (await rootAt(tools, shown.size)) === shown.root) return { how: 'whole' }
  const lines = here < shown.size ? await replay(tools, signer, shown) : undefined
  if (lines !== undefined) return { how: 'replayed', lines }
  if (!tools.allowNewName) return { how: 'lacks', size: shown.size, here }
  await db.transaction(trx =>
    trx
      .insertInto('ledger_forks')
      .values({ number: count + 1, size: shown.size, root: shown.root, note: newest, at: now })
      .execute(),
  )
  return { how: 'new-name', size: shown.size }
}

async function rootAt({ db, goOn }: ContinueTools, size: number): Promise<string> {
  const frontier = createFrontier(sha256)
  await hashesFrom(db, { from: 0, to: size, goOn }, hash => frontier.add(hash))
  return toHex(frontier.root())
}

/**
 * Puts the lines in again that were published and are not here, with the head over them.
 * @returns how many; undefined where the files are not there, or not every event is
 */
async function replay(
  tools: ContinueTools,
  signer: Verifier,
  { size, root }: { readonly size: number; readonly root: string },
): Promise<number | undefined> {
  const { db, folder, newest, now, goOn } = tools
  const texts = await publishedLines(folder, size)
  if (texts === undefined) return undefined
  const hashes = texts.map(text => leafHash(sha256, bytesOf(text)))
  const frontier = createFrontier(sha256)
  for (const hash of hashes) frontier.add(hash)
  if (toHex(frontier.root()) !== root) return undefined
  let here = 0
  let isSame = true
  await hashesFrom(db, { from: 0, goOn }, hash => {
    isSame &&= toHex(hash) === toHex(hashes[here]!)
    here++
  })
  if (!isSame) return undefined
  const events = await eventsByProof(tools)
  const rows: { seq: number; leaf: string; hash: string }[] = []
  const entries: { entry_id: string; seq: number }[] = []
  for (const [n, text] of texts.slice(here).entries()) {
    const leaf = readLeaf(text)
    const seq = here + n
    rows.push({ seq, leaf: text, hash: toHex(hashes[seq]!) })
    // What is said of the ledger itself is of no event.
    if (leaf.key !== undefined || leaf.received !== undefined) continue
    for (const proof of [leaf.proof].flat()) {
      const id = events.get(proof)
      if (id === undefined) return undefined
      entries.push({ entry_id: id, seq })
    }
  }
  const { text: head, signatures } = readNote(newest)
  const own = noteOf(head, signatures.find(each => signerOf(sha256, each, [signer]) !== undefined)!.line)
  await db.transaction(async trx => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await trx
        .insertInto('ledger_leaves')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .execute()
    for (let at = 0; at < entries.length; at += ROWS_AT_ONCE)
      await trx
        .insertInto('ledger_leaf_entries')
        .values(entries.slice(at, at + ROWS_AT_ONCE))
        .execute()
    await trx.insertInto('ledger_heads').values({ size, root, note: own, at: now }).execute()
  })
  return rows.length
}

const ROWS_AT_ONCE = 200

/** The lines of the published files; undefined where one is missing or cannot be read. */
async function publishedLines(folder: string, size: number): Promise<readonly string[] | undefined> {
  try {
    const lines: string[] = []
    for (const tile of tilesOf(size).filter(({ level }) => level === 'entries'))
      for (const entry of entriesIn(await readFile(join(folder, tilePath(tile))), tile.width))
        lines.push(textOf(entry))
    return lines
  } catch {
    return undefined
  }
}

/** The events that stand in no line, by what a line shows of them. */
async function eventsByProof({ db, goOn }: ContinueTools): Promise<ReadonlyMap<string, string>> {
  // Every day is before this one.
  const waiting = await waitingEntries(db, '9999-12-31', goOn)
  const nonces = new Map((await db.read(allNonces)).map(({ entry_id: id, nonce }) => [id, nonce] as const))
  const found = new Map<string, string>()
  for (const { id, cause, amounts } of waiting) {
    const nonce = nonces.get(id)
    if (nonce === undefined) continue
    for (const proof of proofsOf(nonce, cause, amounts)) found.set(proof, id)
  }
  return found
}

const proofsOf = (nonce: string, cause: Cause, amounts: Amounts): readonly string[] => [
  blindOf(sha256, nonce, cause),
  commitmentOf(sha256, nonce, cause, amounts),
]

const allNonces = (db: Reader) => db.selectFrom('ledger_nonces').select(['entry_id', 'nonce']).execute()

/** The sighting that keeps the log from being written after a backup was brought back. */
const HELD = 'public-ledger-held'

/** Has nobody said yet how the log goes on after a backup was brought back? */
export const isLogHeld = async (db: Reader): Promise<boolean> => (await sightedAt(db, HELD)) !== undefined

/** Keeps the log from being written until somebody says how it goes on. @param now epoch ms UTC */
export const holdLog = (db: Database, now: number): Promise<void> =>
  db.transaction(trx => sight(trx, HELD, now))

/** The log may be written again. */
export async function releaseLog(db: Database): Promise<void> {
  await db.transaction(trx => trx.deleteFrom('sightings').where('name', '=', HELD).execute())
}
