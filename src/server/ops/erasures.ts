import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DAY_MS } from '#domain/durations.ts'
import { type CardKeys, createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { waitForFileLock } from '#server/platform/file-lock.ts'
import { readIfThere, writeWhole } from '#server/platform/files.ts'
import { secretsHere } from './card-secret.ts'
import { Refusal, type Tools } from './command.ts'
import { listFolders } from './revocations.ts'

/** Backups are kept for two months: what is older than this is in none of them. */
const KEPT_MS = 100 * DAY_MS
const ABOUT = 'erasure'
const LOOK_AGAIN_MS = 20
/** The settings refuse a shorter one. */
const SHORTEST_SECRET = 32

interface Line {
  readonly at: number
  /** Sealed with the secret of the cards, which lies in no backup. */
  readonly address: string
}

const fileIn = (folder: string): string => join(folder, 'erasures')

const listsOf = (tools: Tools): readonly string[] => listFolders(tools).map(fileIn)

/**
 * @returns undefined where there is no such list
 * @throws Refusal where a line cannot be read: leaving it out would leave out a person
 */
async function linesOf(file: string): Promise<readonly Line[] | undefined> {
  const text = (await readIfThere(file))?.toString()
  return text
    ?.split('\n')
    .filter(line => line !== '')
    .map(line => {
      const read = lineIn(line)
      if (read !== undefined) return read
      throw new Refusal(
        `The list ${file} has a line that cannot be read. Copy the whole list there again, or take the line away and say \`ops erase\` for whom it may have named.`,
      )
    })
}

function lineIn(text: string): Line | undefined {
  try {
    const { at, address } = JSON.parse(text)
    return typeof at === 'number' && typeof address === 'string' ? { at, address } : undefined
  } catch {
    return undefined
  }
}

/** The same line may stand on several lists. */
const eachOnce = (lines: readonly Line[]): readonly Line[] => [
  ...new Map(lines.map(line => [line.address, line])).values(),
]

/**
 * Keeps that a person is forgotten, for backups of before: a restore would bring the person back. It is said before the
 * person is forgotten, so that nobody who was is missing. Who was not, because that failed, is forgotten after a restore,
 * as they had asked for. One list is enough: nobody has to wait until an archive is back.
 * @returns what the terminal says where a list could not be written
 * @throws Refusal where none could be
 */
export async function noteErasure(tools: Tools, keys: CardKeys, address: string): Promise<readonly string[]> {
  const line = { at: tools.clock(), address: keys.seal(address, ABOUT) }
  const { written, unwritten } = await addToLists(tools, [line])
  if (written === 0)
    throw new Refusal(
      `Nobody was forgotten: that is listed first, or a restore would bring the person back. ${unwritten.join(' ')}`,
    )
  if (unwritten.length === 0) return []
  return [
    ...unwritten,
    'The person stands on the other list. Each `ops erase` and `ops backup` writes both: see to the file before the next restore.',
  ]
}

/**
 * Adds lines to each list, together with what the other lists have: one that could not be written catches up the next time.
 * It is tried by the next erasure, and by each backup. One command at a time writes: two at once would each leave the other's person out.
 */
async function addToLists(
  tools: Tools,
  added: readonly Line[],
): Promise<{ readonly written: number; readonly unwritten: readonly string[] }> {
  const now = tools.clock()
  await mkdir(tools.place.dataDir, { recursive: true, mode: 0o700 })
  const lock = join(tools.place.dataDir, 'erasures.lock')
  const release = await waitForFileLock(lock, { lookEveryMs: LOOK_AGAIN_MS })
  try {
    const files = listsOf(tools)
    const lists = await Promise.allSettled(files.map(linesOf))
    const known = lists.flatMap(list => (list.status === 'fulfilled' ? (list.value ?? []) : []))
    const kept = eachOnce([...known, ...added]).filter(({ at }) => at > now - KEPT_MS)
    const text = kept.map(line => `${JSON.stringify(line)}\n`).join('')
    const unwritten: string[] = []
    for (const [n, file] of files.entries()) {
      try {
        const list = lists[n]!
        // A damaged list stays as it is: it may name somebody whom no other list has.
        if (list.status === 'rejected') throw list.reason
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeWhole(file, text)
      } catch (error) {
        unwritten.push(notWritten(file, error))
      }
    }
    return { written: files.length - unwritten.length, unwritten }
  } finally {
    release()
  }
}

function notWritten(file: string, error: unknown): string {
  if (error instanceof Refusal) return error.message
  const why = error instanceof Error ? error.message : String(error)
  return `The list ${file} could not be written: ${why}.`
}

/** What the lists say of who was forgotten, still sealed. */
export interface Erasures {
  readonly lines: readonly Line[]
  /** Was there any list? */
  readonly isFound: boolean
}

/**
 * Reads every list, which a restore does before anything is replaced.
 * @param beside another folder that may have a list
 * @throws Refusal where one is damaged
 */
export async function readErasures(tools: Tools, ...beside: readonly string[]): Promise<Erasures> {
  const files = [...listsOf(tools), ...beside.map(fileIn)].map(file => resolve(file))
  const lists = (await Promise.all([...new Set(files)].map(linesOf))).filter(list => list !== undefined)
  return { lines: eachOnce(lists.flat()), isFound: lists.length > 0 }
}

/**
 * Adds what was read to the lists of this site: what lay beside a backup is needed again by whoever says
 * `reconcile --restored` later, and by the next restore.
 * @returns what the terminal says where a list could not be written
 */
export async function keepErasures(tools: Tools, { lines }: Erasures): Promise<readonly string[]> {
  return lines.length === 0 ? [] : (await addToLists(tools, lines)).unwritten
}

/**
 * How many lines stand on some list and not on every one: a restore that finds another list alone brings those people back.
 * @throws Refusal where a list is damaged
 */
export async function unlistedErasures(tools: Tools): Promise<number> {
  const lists = (await Promise.all(listsOf(tools).map(linesOf))).map(list => list ?? [])
  const since = tools.clock() - KEPT_MS
  const kept = eachOnce(lists.flat()).filter(({ at }) => at > since)
  return kept.filter(({ address }) => !lists.every(list => list.some(line => line.address === address)))
    .length
}

/**
 * Lets each list catch up with the others.
 * @returns what the terminal says where one could not be written
 */
export async function catchUpErasures(tools: Tools): Promise<readonly string[]> {
  const missing = await unlistedErasures(tools).catch(() => undefined)
  return missing === 0 ? [] : (await addToLists(tools, [])).unwritten
}

/** Whom the lists name since an instant. */
interface Erased {
  /** Each once. */
  readonly addresses: readonly string[]
  /** How many lines were sealed with a secret that is not here: they may name anybody. */
  readonly unread: number
}

/**
 * The addresses that were forgotten since an instant. Any secret that is set here opens a line, also one that the
 * database does not know: the backup may be from before the secret was changed.
 * @param since epoch ms UTC
 */
export function erasedSince(tools: Tools, { lines }: Erasures, since: number): Erased {
  const keys = keysOfEach(tools)
  const read = lines
    .filter(({ at }) => at >= since)
    .map(({ address }) => keys.map(each => each.unseal(address, ABOUT)).find(each => each !== undefined))
  const found = read.filter(address => address !== undefined)
  return { addresses: [...new Set(found)], unread: read.length - found.length }
}

/** The keys of each secret that is set here, by itself. */
function keysOfEach(tools: Tools): readonly CardKeys[] {
  const { current, earlier } = secretsHere(tools) ?? { current: '', earlier: [] }
  return [current, ...earlier]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .map(secret => createCardKeys(secret))
}
