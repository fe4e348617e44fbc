import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { CHECKPOINT_PATH } from '#domain/public-ledger/tiles.ts'
import { continueLog, holdLog, releaseLog, StrangeHead } from '#server/modules/public-ledger/continue.ts'
import { ledgerFolder } from '#server/modules/public-ledger/files.ts'
import { lastHead } from '#server/modules/public-ledger/heads.ts'
import { forksIn, forksOf, headIn, nameAfter, originIn } from '#server/modules/public-ledger/keys.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import { type Database, OtherDatabase } from '#server/platform/db/database.ts'
import { witnessesIn } from '#server/platform/settings/shapes.ts'
import { Refusal, type Tools } from './command.ts'
import { realOutside } from './doctor/outside.ts'
import { keysOfLog } from './ledger-keys.ts'

/** What the operator says of the newest head that anybody was shown. */
export interface Said {
  /** A file with a checkpoint, as a mail has it. */
  readonly checkpoint: string | undefined
  /** Nobody was shown a later head than the database has. */
  readonly noLaterHead: boolean
  /** The log may go on under another name. */
  readonly newName: boolean
}

export interface LogAfterBackup {
  readonly lines: readonly string[]
  readonly how: 'none' | 'whole' | 'replayed' | 'new-name' | 'lacks' | 'unknown'
  readonly ok: boolean
}

const WAY_OUT =
  'Until then nothing is published. `ops ledger continue` with --checkpoint <file> compares with the checkpoint of a mail;'

/**
 * Lets the public ledger go on after a backup was brought back, or says why it cannot.
 * @param known heads that were seen before the backup took the database's place
 */
export async function logAfterBackup(
  tools: Tools,
  db: Database,
  { checkpoint, noLaterHead, newName }: Said,
  known: readonly string[] = [],
): Promise<LogAfterBackup> {
  const head = await db.read(lastHead)
  const { count } = await db.read(forksOf)
  const given = checkpoint === undefined ? [] : [readGiven(checkpoint)]
  const origin = head === undefined ? originHere(tools, count) : originIn(head.note)
  const all = [...given, ...known, ...publishedHere(tools), ...(await witnessed(tools, origin))].filter(
    isHead,
  )
  const newest = all.sort((one, other) => headIn(other).size - headIn(one).size)[0]
  if (newest === undefined) {
    if (head === undefined) return { lines: [], how: 'none', ok: true }
    if (noLaterHead) {
      await releaseLog(db)
      return { lines: [`The public ledger goes on after line ${head.size}.`], how: 'whole', ok: true }
    }
    await holdLog(db, tools.clock())
    const lines = [
      'Nothing here says which head of the public ledger was shown to others last.',
      WAY_OUT,
      'with --no-later-head you say that nobody was shown a later one than the backup has.',
    ]
    return { lines, how: 'unknown', ok: false }
  }
  const { origin: name, size } = headIn(newest)
  const keys = keysOfLog(tools, name)
  if (keys === undefined) {
    await holdLog(db, tools.clock())
    const lines = [
      'LEDGER_KEY is not set here, so the head that was published cannot be verified.',
      WAY_OUT,
      'run it where the settings are.',
    ]
    return { lines, how: 'unknown', ok: false }
  }
  const base = ledgerFolder(tools.place.dataDir)
  const forks = forksIn(name)
  const result = await continueLog({
    ...keys,
    db,
    now: tools.clock(),
    newest,
    folder: forks === 0 ? base : `${base}-${forks + 1}`,
    allowNewName: newName,
    goOn: async () => void (await nextTurn()),
  }).catch((error: unknown) => {
    if (error instanceof StrangeHead) throw new Refusal(error.message)
    throw error
  })
  if (result.how === 'lacks') {
    await holdLog(db, tools.clock())
    const lines = [
      `The public ledger was published with ${result.size} lines, and this database has ${result.here}: it is older.`,
      'Bring a newer backup back; or, where there is none, `ops ledger continue --new-name`: the ledger goes on under',
      'another name, and its first new line says that a backup was brought back. Until then nothing is published.',
    ]
    return { lines, how: 'lacks', ok: false }
  }
  await releaseLog(db)
  const lines =
    result.how === 'whole'
      ? [`The public ledger has everything that was published, ${size} lines.`]
      : result.how === 'replayed'
        ? [`${result.lines} lines of the public ledger that were published after the backup are in it again.`]
        : [
            `The public ledger goes on as ${nameAfter(originHere(tools, 0), count + 1)}: the ${size} lines of before stay where they were.`,
            'Its next line says that a backup was brought back.',
          ]
  return { lines, how: result.how, ok: true }
}

/** The newest head in a database that is about to be replaced; none where it cannot be read. */
export async function headOfDatabase(open: () => Promise<Database>): Promise<readonly string[]> {
  try {
    const db = await open()
    try {
      const head = await db.read(lastHead)
      return head === undefined ? [] : [head.note]
    } finally {
      await db.close()
    }
  } catch (error) {
    if (error instanceof OtherDatabase) throw error
    return []
  }
}

/** The heads that are published from this machine. */
function publishedHere({ place }: Tools): readonly string[] {
  const folders = (() => {
    try {
      return readdirSync(place.dataDir).filter(name => /^ledger(-\d+)?$/.test(name))
    } catch {
      return []
    }
  })()
  return folders.flatMap(name => {
    try {
      return [readFileSync(join(place.dataDir, name, CHECKPOINT_PATH), 'utf8')]
    } catch {
      return []
    }
  })
}

/** The heads that witnesses have signed last, as they serve them. */
async function witnessed(
  { environment, outside = realOutside }: Tools,
  origin: string,
): Promise<readonly string[]> {
  const path = toHex(sha256(bytesOf(origin)))
  const asked = witnessesIn(environment.LEDGER_WITNESSES?.trim() ?? '').map(async ({ address }) => {
    const answer = await outside.fetch(`${address}/${path}/checkpoint`).catch(() => undefined)
    return answer?.ok ? [await answer.text()] : []
  })
  return (await Promise.all(asked)).flat()
}

const originHere = ({ environment }: Tools, forks: number): string =>
  nameAfter(originOf(environment.SITE_URL?.trim() || 'http://localhost:4321'), forks)

function readGiven(file: string): string {
  let note: string
  try {
    note = readFileSync(resolve(file), 'utf8')
  } catch {
    throw new Refusal(`There is no file ${file}.`)
  }
  // A mail program may have put lines of its own around it, and spaces at the ends of lines.
  const lines = note.split('\n').map(line => line.trimEnd())
  const blank = lines.findIndex((line, n) => line === '' && n >= 3 && (lines[n + 1] ?? '').startsWith('— '))
  const signatures = lines.slice(blank + 1)
  const end = signatures.findIndex(line => !line.startsWith('— '))
  const found = [
    ...lines.slice(blank - 3, blank + 1),
    ...(end === -1 ? signatures : signatures.slice(0, end)),
  ]
    .map(line => `${line}\n`)
    .join('')
  if (blank === -1 || !isHead(found)) throw new Refusal(`${file} holds no checkpoint.`)
  return found
}

function isHead(note: string): boolean {
  try {
    return headIn(note).size > 0
  } catch {
    return false
  }
}
