import type { HoldReason } from '#domain/card/holds.ts'
import { turnOf } from '#domain/card/shown-links.ts'
import { CARD_STATUSES, type CardStatus } from '#domain/card/states.ts'
import { queueAgain } from '#server/modules/gifts/confirmation-jobs.ts'
import type { Database } from '#server/platform/db/database.ts'
import { unsentMails } from '#server/platform/outbox/unsent.ts'
import { noWords, oneWord, readArguments, wholeNumber } from './arguments.ts'
import { namedCard, namedCardFile } from './card-file.ts'
import { refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal, type Report, type Tools } from './command.ts'
import { amount, instant, table, wrapped } from './table.ts'

/** `cards`: the newest cards and invitations, those whose year ends soonest, or those whose mails did not get through. */
export const cards: Command = {
  name: 'cards',
  usage: '[--status active] [--ending] [--unsent] [--limit 50]',
  summary:
    'lists cards and invitations: the newest, those whose year ends soonest, or whose mails did not get through',
  async run(tools, args) {
    const { words, value, has } = readArguments(args, {
      names: ['status', 'limit'],
      flags: ['ending', 'unsent'],
    })
    noWords(words)
    const status = value('status') as CardStatus | undefined
    if (status !== undefined && !CARD_STATUSES.includes(status))
      throw new Refusal(`There is no status "${status}": ${CARD_STATUSES.join(', ')}.`)
    const limit = wholeNumber(value('limit'), 50)
    if (has('unsent')) return unsent(tools, limit)
    const db = await tools.database()
    const withCredit = await db.read(reader =>
      reader
        .selectFrom('cards')
        .select(['id', 'kind', 'status', 'credit', 'currency', 'language', 'created_at', 'auto_donate_at'])
        .$if(status !== undefined, query => query.where('status', '=', status!))
        .$if(has('ending'), query => query.where('status', '=', 'active').orderBy('auto_donate_at'))
        .$if(!has('ending'), query => query.orderBy('id', 'desc'))
        .limit(limit)
        .execute(),
    )
    // No year of theirs ends, and nobody uses them up.
    const isAboutInvitations = !has('ending') && status !== 'consumed'
    const rows = isAboutInvitations
      ? [...withCredit, ...(await newestInvitations(db, status, limit))]
          .toSorted((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      : withCredit
    const lines = table(
      [
        { title: 'card' },
        { title: 'kind' },
        { title: 'status' },
        { title: 'credit', right: true },
        { title: '' },
        { title: 'made' },
        { title: 'its year ends' },
      ],
      rows.map(row => [
        row.id,
        row.kind,
        row.status,
        row.credit === null ? '' : amount(row.credit),
        row.currency ?? '',
        instant(row.created_at),
        instant(row.auto_donate_at),
      ]),
    )
    return { lines, data: { cards: rows }, ok: true }
  },
}

async function unsent(tools: Tools, limit: number): Promise<Report> {
  const db = await tools.database()
  const mails = await db.read(reader => unsentMails(reader, tools.clock(), limit))
  const rows = mails.map(mail => [
    mail.cardId ?? 'of no card',
    mail.kind,
    mail.isGivenUp ? 'given up' : 'tried again',
    mail.reason,
    instant(mail.askedAt),
  ])
  const titles = ['card', 'mail', 'state', 'reason', 'asked for'].map(title => ({ title }))
  const lines =
    mails.length === 0 ? ['Every mail got through, or has not been tried yet.'] : table(titles, rows)
  return { lines, data: { mails }, ok: true }
}

/** As rows of the list of cards; ids are in the order in which they were made. */
async function newestInvitations(
  db: Database,
  status: Exclude<CardStatus, 'consumed'> | undefined,
  limit: number,
) {
  const rows = await db.read(reader =>
    reader
      .selectFrom('volunteering_cards')
      .select(['id', 'status', 'language', 'created_at'])
      .$if(status !== undefined, query => query.where('status', '=', status!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  )
  return rows.map(row => ({
    ...row,
    kind: 'volunteering' as const,
    credit: null,
    currency: null,
    auto_donate_at: null,
  }))
}

/** Beside the time and the longest of what happens. */
const DETAILS_WIDTH = 50

/** `card <id>`: everything that is known of one card, without a key or an address. Alarms and logs name its order. */
export const card: Command = {
  name: 'card',
  usage: '<card or order>',
  summary: 'says the state and the history of one card, never its keys',
  async run(tools, args) {
    const id = oneWord(readArguments(args).words, 'the id of one card, or of its order')
    const db = await tools.database()
    const file = await db.snapshot(reader => namedCardFile(reader, id))
    const credit = file.kind === 'volunteering' ? '' : ` ${amount(file.credit)} ${file.currency},`
    const lines = [
      `Card ${file.id}: ${file.status},${credit} ${file.kind}, in ${file.language}`,
      `Its buyer is ${file.hasAddress ? 'known' : 'forgotten'}; its links are version ${turnOf(file.keyVersion)}.`,
      // What is used up, or paid back, is never given away; an invitation has no year.
      ...(file.kind !== 'volunteering' && ['active', 'frozen'].includes(file.status)
        ? [`Its year ends on ${instant(file.autoDonateAt)} UTC.`]
        : []),
      ...file.holds.map(reason => HELD[reason]),
      '',
      ...table(
        [{ title: 'when' }, { title: 'what' }, { title: 'details' }],
        file.history.flatMap(({ at, what, details }) =>
          wrapped(details, DETAILS_WIDTH).map((line, n) =>
            n === 0 ? [instant(at), what, line] : ['', '', line],
          ),
        ),
      ),
    ]
    return { lines, data: file, ok: true }
  },
}

/** Why nobody can use a card now, and until when. */
const HELD: Readonly<Record<HoldReason, string>> = {
  dispute: 'Its payment is disputed: nobody can use it until the dispute is over.',
  operator: 'An operator holds it: nobody can use it until somebody says `release`.',
  withdrawal: 'Its buyer has withdrawn: nobody can use it, and what was paid goes back.',
}

/** `resend <card or order>`: its mail again, to the address of its payment or claim, or the one that it was corrected to. The running site sends it. */
export const resend: Command = {
  name: 'resend',
  usage: '<card or order>',
  summary: 'sends the mail of a card again, to the address that is kept for it',
  async run(tools, args) {
    const word = oneWord(readArguments(args).words, 'the id of one card, or of its order')
    await refuseWrongSecret(tools)
    const db = await tools.database()
    const now = tools.clock()
    const { id } = (await db.read(reader => namedCard(reader, word))).card
    const outcome = await db.transaction(trx => queueAgain(trx, id, now))
    if (outcome === 'card-not-found')
      throw new Refusal(`The card ${id} cannot be shown. \`card ${id}\` says what became of it.`)
    if (outcome === 'no-address')
      throw new Refusal(
        `Its buyer’s address is not known, or was forgotten. Look for it in the payment account, then say \`address ${id} <e-mail>\`.`,
      )
    const words =
      outcome === 'joined'
        ? 'Its mail was waiting already; it is tried now.'
        : 'Queued. The running site sends it within seconds.'
    return {
      lines: [words, `\`card ${id}\` shows what became of it.`],
      data: { card: id, outcome },
      ok: true,
    }
  },
}
