import { counted } from '#domain/text/counted.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { openRestoration, type Restoration } from '#server/modules/gifts/cards/restored.ts'
import { keysHere } from './card-secret.ts'
import type { Tools } from './command.ts'
import { erasePerson } from './erase.ts'
import { type Erasures, erasedSince, keepErasures } from './erasures.ts'

/**
 * Forgets again whom a backup has brought back, by the lists beside the backups.
 * @param keys read the lists
 * @returns what the terminal says of it
 */
export async function forgetAgain(
  tools: Tools,
  keys: CardKeys,
  { since }: Restoration,
  erasures: Erasures,
): Promise<readonly string[]> {
  if (!erasures.isFound) return [NOTHING_LISTED]
  const addresses = erasedSince(erasures, keys, since)
  for (const address of addresses) await erasePerson(tools, address, { isSaid: true, isListed: true })
  return [`Forgotten again: ${counted(addresses.length, 'person', 'people')} who asked for it since.`]
}

const NOTHING_LISTED =
  'No list beside the backups says who was forgotten. Say `ops erase` again for whoever asked for it since, before the site writes to them.'

/** What became of the lists of the forgotten before a site starts. */
interface BeforeStart {
  /** Could the lists be read? */
  readonly isDone: boolean
  /** What the terminal says of it. */
  readonly lines: readonly string[]
}

/**
 * The same before a site starts: its outbox looks for work at once, and would write to whoever the backup has brought
 * back. Without the right secret nobody is forgotten, and what is returned says so: the database is in its place already.
 * @param erasures what the lists say
 */
export async function forgetBeforeStart(tools: Tools, erasures: Erasures): Promise<BeforeStart> {
  const restoration = await (await tools.database()).read(openRestoration)
  if (restoration === undefined) return { isDone: true, lines: [] }
  const unwritten = await keepErasures(tools, erasures)
  const { keys, verdict } = await keysHere(tools)
  // With a part of the secrets not everything of a person would be found.
  if (keys === undefined || verdict === 'incomplete')
    return { isDone: false, lines: [...UNREAD, ...unwritten] }
  const lines = await forgetAgain(tools, keys, restoration, erasures)
  return { isDone: true, lines: [...lines, ...unwritten] }
}

const UNREAD: readonly string[] = [
  'Nobody was forgotten again: that needs CARD_KEY_SECRET, and the earlier ones that are still in use. Whoever was forgotten since the backup is in it again.',
  'Set them, then `ops reconcile --restored`, both before the site starts: it would write to these people.',
]
