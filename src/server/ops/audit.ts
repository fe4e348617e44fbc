import { audit as writeAudit } from '#server/modules/operator/audit.ts'
import { DID, didSubject } from '#server/modules/reports/duties.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { noWords, readArguments, wholeNumber } from './arguments.ts'
import type { Command, Tools } from './command.ts'
import { instant, table } from './table.ts'

/** `audit`: what operators did, the newest first. Nobody can change or delete it. */
export const audit: Command = {
  name: 'audit',
  usage: '[--limit 50]',
  summary: 'lists what operators did, in the terminal and in the Studio, the newest first',
  async run(tools, args) {
    const { words, value } = readArguments(args, { names: ['limit'] })
    noWords(words)
    const db = await tools.database()
    const entries = await db.read(reader =>
      reader
        .selectFrom('audit_log')
        .leftJoin('people', 'people.id', 'audit_log.person_id')
        .select(['audit_log.created_at as at', 'actor', 'people.name as who', 'action', 'subject', 'outcome'])
        .orderBy('audit_log.created_at', 'desc')
        .orderBy('audit_log.id', 'desc')
        .limit(wholeNumber(value('limit'), 50))
        .execute(),
    )
    const lines = table(
      [
        { title: 'when' },
        { title: 'where' },
        { title: 'who' },
        { title: 'what' },
        { title: 'of' },
        { title: 'outcome' },
      ],
      entries.map(each => [
        instant(each.at),
        each.actor,
        each.who ?? '',
        each.action,
        each.subject ?? '',
        each.outcome,
      ]),
    )
    return { lines, data: { entries }, ok: true }
  },
}

type Words = readonly string[]

const anId = (words: Words) => words.find(isIdShaped)
const aName = (words: Words) => words.find(word => !word.startsWith('-'))
/** Only the first word, since the words after it may be an address or a person's name. */
const firstName = ([word]: Words) => (word?.startsWith('-') ? undefined : word)
/** The organisation, and which of its accounts was withdrawn. */
const anAccount = (words: Words) =>
  [aName(words), ...(words.includes('--current') ? ['current'] : [])].join(' ')
const nothing = () => undefined
/** The duty's name, and the day that it was done on. */
const aDuty = (words: Words) => {
  const { words: names, value } = readArguments(words, { names: ['on'] })
  return didSubject(names[0] ?? '', value('on'))
}

/** The commands that change data or take it out of the server, and the words that are kept: ids and our own names. */
const WRITTEN_DOWN: Readonly<Record<string, (words: Words) => string | undefined>> = {
  [DID]: aDuty,
  resend: anId,
  // The card's id is kept, never the address.
  address: anId,
  'block-answer': anId,
  'blank-message': anId,
  // Names and addresses are left out.
  'people invite': nothing,
  'people add-passkey': firstName,
  'people end': firstName,
  'partner add': nothing,
  'partner revoke': firstName,
  'invoice paid': anId,
  'invoice cancel': anId,
  'invoice address': anId,
  'invoice refunded': anId,
  // The name is left out: it is a stranger's words.
  'wishes seen': nothing,
  hold: anId,
  release: anId,
  'end-grace': nothing,
  'check count-again': nothing,
  run: aName,
  'account propose': firstName,
  'account confirm': firstName,
  'account withdraw': anAccount,
  // This command shows a whole account number and its contact.
  'account show': firstName,
  // They list who gave, with their documents.
  donors: aName,
  certificates: aName,
  'payout create': aName,
  'payout csv': nothing,
  'payout run': firstName,
  'payout file': firstName,
  'payout others': firstName,
  'payout cancel': anId,
  'payout advise': anId,
  'payout unadvise': anId,
  'payout receipt': anId,
  // The name of the file is left out, since it may be any text.
  'payout import': nothing,
  // The reference is left out, since it may be any text.
  'payout paid': anId,
  'payout unpaid': anId,
  erase: nothing,
  backup: nothing,
  restore: nothing,
  reconcile: words => (words.includes('--done') ? 'done' : 'restored'),
  'ledger continue': nothing,
  move: nothing,
}

/** Is a command, or an action of one, written into the audit log? */
export const isWrittenDown = (name: string, action?: string): boolean =>
  Object.hasOwn(WRITTEN_DOWN, action === undefined ? name : `${name} ${action}`) ||
  Object.hasOwn(WRITTEN_DOWN, name)

/**
 * Writes a command that was carried out into the audit log, where the log keeps that command. A refused command
 * changed nothing and is not written.
 * @param ok what the command's report said
 */
export async function writeDown(name: string, args: Words, ok: boolean, tools: Tools): Promise<void> {
  // Without its flag the command only says what it would do.
  if (name === 'erase' && !args.includes('--yes')) return
  if (name === 'reconcile' && !args.some(word => word === '--restored' || word === '--done')) return
  if (name === 'payout' && args[0] === 'import' && !args.includes('--apply')) return
  const [first = '', ...rest] = args
  // Of a command of several actions each is one of its own.
  const isAction = Object.hasOwn(WRITTEN_DOWN, `${name} ${first}`)
  const [action, words] = isAction ? [`${name} ${first}`, rest] : [name, args]
  const subjectOf = Object.hasOwn(WRITTEN_DOWN, action) ? WRITTEN_DOWN[action] : undefined
  if (subjectOf === undefined) return
  // A restore whose checks found something was carried out all the same, and so was the part of a bank statement that fits.
  const outcome = ok || ['restore', 'payout import'].includes(action) ? 'done' : 'refused'
  const entry = { actor: 'terminal', action, subject: subjectOf(words), outcome } as const
  await writeAudit(await tools.database(), entry, tools.clock())
}
