import { counted } from '#domain/text/counted.ts'
import { openRestoration, type Restoration } from '#server/modules/gifts/cards/restored.ts'
import { keysHere } from './card-secret.ts'
import type { Tools } from './command.ts'
import { erasePerson } from './erase.ts'
import { type Erasures, erasedSince, keepErasures } from './erasures.ts'

/** What became of the lists of the forgotten. */
interface ForgottenAgain {
  /** Could every line be read that matters here? */
  readonly isDone: boolean
  /** What the terminal says of it. */
  readonly lines: readonly string[]
}

/**
 * When it is said again, where something was missing, by which command, and what the site does otherwise. Said of a site that
 * runs, `--restored` would close what was sold since.
 */
const AGAIN = {
  'before the site starts': {
    command: 'ops reconcile --restored',
    otherwise: ', both before the site starts: it would write',
  },
  'while it runs': { command: 'ops reconcile', otherwise: ' again: the site may write' },
} as const

type Again = keyof typeof AGAIN

/**
 * Forgets again whom a backup has brought back, by the lists beside the backups. Lines that no secret here opens name
 * somebody as well: it is not done while there are any.
 * @param again when it is said again, where it is not done
 */
export async function forgetAgain(
  tools: Tools,
  { since }: Restoration,
  erasures: Erasures,
  again: Again = 'while it runs',
): Promise<ForgottenAgain> {
  if (!erasures.isFound) return { isDone: true, lines: nothingListed(again) }
  const { command, otherwise } = AGAIN[again]
  const { addresses, unread } = erasedSince(tools, erasures, since)
  for (const address of addresses) await erasePerson(tools, address, { isSaid: true, isListed: true })
  const forgotten = `Forgotten again: ${counted(addresses.length, 'person', 'people')} who asked for it since.`
  if (unread === 0) return { isDone: true, lines: [forgotten] }
  return {
    isDone: false,
    lines: [
      forgotten,
      `${counted(unread, 'line')} of the list \`erasures\` ${unread === 1 ? 'needs' : 'need'} another CARD_KEY_SECRET or CARD_KEY_SECRET_EARLIER: whoever stands there was not forgotten again.`,
      `Add the secret that was in use then to CARD_KEY_SECRET_EARLIER, until \`ops reconcile --done\`, and say \`${command}\`${otherwise} to these people.`,
    ],
  }
}

const nothingListed = (again: Again): readonly string[] => [
  'No list beside the backups says who was forgotten. Say `ops erase` again for whoever asked for it since, before the site writes to them.',
  `Where a copy of the list is elsewhere, put it to \`backups/erasures\` in the data folder, and say \`${AGAIN[again].command}\` first.`,
]

/**
 * The same before a site starts: its outbox looks for work at once, and would write to whoever the backup has brought
 * back. Without the right secret nobody is forgotten, and what is returned says so: the database is in its place already.
 * @param erasures what the lists say
 */
export async function forgetBeforeStart(tools: Tools, erasures: Erasures): Promise<ForgottenAgain> {
  const restoration = await (await tools.database()).read(openRestoration)
  if (restoration === undefined) return { isDone: true, lines: [] }
  const unwritten = await keepErasures(tools, erasures)
  const { keys, verdict } = await keysHere(tools)
  // With a part of the secrets not everything of a person would be found.
  if (keys === undefined || verdict === 'incomplete')
    return { isDone: false, lines: [...UNREAD, ...unwritten] }
  const { isDone, lines } = await forgetAgain(tools, restoration, erasures, 'before the site starts')
  return { isDone, lines: [...lines, ...unwritten] }
}

const UNREAD: readonly string[] = [
  'Nobody was forgotten again: that needs CARD_KEY_SECRET, and the earlier ones that are still in use. Whoever was forgotten since the backup is in it again.',
  'Set them, then `ops reconcile --restored`, both before the site starts: it would write to these people.',
]
