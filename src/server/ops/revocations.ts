import { REVOCABLE, type Revocable, type Revocation } from '#domain/desk/revocations.ts'
import { counted } from '#domain/text/counted.ts'
import {
  besideBackups,
  listedRevocations,
  listRevocations,
  revokeAgain,
} from '#server/modules/desk/revocations.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Tools } from './command.ts'

/** The folders of the lists of who was forgotten and of what was revoked. */
export const listFolders = ({ place, environment }: Tools): readonly string[] =>
  besideBackups({ dataDir: place.dataDir, archive: environment.WAL_ARCHIVE?.trim() || undefined })

/**
 * Lists what an act of the terminal has just revoked: a restore would bring it back. The act is done, whatever becomes of the list.
 * @returns what the terminal says where the list could not be written
 */
export async function noteRevoked(tools: Tools): Promise<readonly string[]> {
  try {
    await listRevocations(await tools.database(), listFolders(tools), tools.clock())
    return []
  } catch (error) {
    return ofUnwritten(error)
  }
}

function ofUnwritten(error: unknown): readonly string[] {
  const why = error instanceof Error ? error.message : String(error)
  return [
    `It is done, but the list \`revocations\` beside the backups could not be written: ${why}`,
    'The site tries again each minute: see to the file before the next restore.',
  ]
}

/**
 * Reads every list of what was revoked, before anything is replaced.
 * @param beside another folder that may have a list
 * @throws Error where one cannot be read
 */
export const readLists = (tools: Tools, ...beside: readonly string[]): Promise<readonly Revocation[]> =>
  listedRevocations([...listFolders(tools), ...beside], tools.clock())

/** What became of the lists in a database that was brought back. */
interface RevokedAgain {
  /** Everything that the lists name. */
  readonly listed: readonly Revocation[]
  /** What of it was valid until now. */
  readonly done: readonly Revocation[]
  /** What the terminal says where the lists could not be written. */
  readonly unwritten: readonly string[]
}

/**
 * Revokes again what a backup has brought back. Said again, it changes nothing.
 * @param keys without them the accounts of organisations have to wait
 * @param read what was read of the lists before; they are read now where it is missing
 */
export async function revokeListed(
  tools: Tools,
  keys: CardKeys | undefined,
  read?: readonly Revocation[],
): Promise<RevokedAgain> {
  const db = await tools.database()
  const listed = read ?? (await readLists(tools))
  const done = await db.transaction(trx => revokeAgain(trx, listed, keys))
  // What comes after it is done all the same: who was forgotten is forgotten again.
  const unwritten = await listRevocations(db, listFolders(tools), tools.clock(), listed).then(
    () => [],
    ofUnwritten,
  )
  return { listed, done, unwritten }
}

const NAMES: Readonly<Record<Revocable, readonly [string, string]>> = {
  partner: ['key of a partner', 'keys of partners'],
  person: ['person at the desk', 'people at the desk'],
  account: ['account of an organisation', 'accounts of organisations'],
}

/** How many of each, for the terminal. */
export const countRevoked = (revoked: readonly Revocation[]): string =>
  REVOCABLE.map(what => counted(revoked.filter(each => each.what === what).length, ...NAMES[what])).join(', ')
