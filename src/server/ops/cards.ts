import { numberOfCard } from '#domain/card/batch.ts'
import type { HoldReason } from '#domain/card/holds.ts'
import { turnOf } from '#domain/card/shown-links.ts'
import { CARD_STATUSES, type CardStatus } from '#domain/card/states.ts'
import type { FoundMany } from '#server/modules/desk/card-file.ts'
import { queueAgain } from '#server/modules/gifts/confirmation-jobs.ts'
import type { Database } from '#server/platform/db/database.ts'
import { unsentMails } from '#server/platform/outbox/unsent.ts'
import { noWords, oneWord, readArguments, wholeNumber } from './arguments.ts'
import { namedCard, namedCardFile, namedMany } from './card-file.ts'
import { refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal, type Report, type Tools } from './command.ts'
import { amount, instant, table, wrapped } from './table.ts'

/** `cards`: the newest cards and invitations, the cards whose year ends soonest, or those whose mails failed. */
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
    // Invitations have no year that ends, and are never used up.
    const isAboutInvitations = !has('ending') && status !== 'consumed' && status !== 'left'
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
    mail.subject ?? mail.id,
    mail.kind,
    mail.isGivenUp ? 'given up' : 'tried again',
    mail.reason,
    instant(mail.askedAt),
  ])
  const titles = ['card or mail', 'mail', 'state', 'reason', 'asked for'].map(title => ({ title }))
  const lines =
    mails.length === 0 ? ['Every mail got through, or has not been tried yet.'] : table(titles, rows)
  return { lines, data: { mails }, ok: true }
}

/** The newest invitations as rows of the list of cards. The order of ids is the order in which they were made. */
async function newestInvitations(
  db: Database,
  status: Exclude<CardStatus, 'consumed' | 'left'> | undefined,
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

function cardsOfMany({ orderId, cards }: FoundMany): Report {
  const counts = CARD_STATUSES.map(
    status => [status, cards.filter(each => each.status === status).length] as const,
  )
  const states = counts.flatMap(([status, count]) => (count === 0 ? [] : [`${count} ${status}`]))
  const lines = [
    `Order ${orderId} is of ${cards.length} cards: ${states.join(', ')}.`,
    '`card <card>` says what happened to one; `hold` and `release` with the order are about all of them.',
    '',
    ...table(
      [
        { title: 'number', right: true },
        { title: 'card' },
        { title: 'status' },
        { title: 'credit', right: true },
      ],
      cards.map(card => [
        `${numberOfCard(card.position)}`,
        card.id,
        card.status,
        `${amount(card.credit)} ${card.currency}`,
      ]),
    ),
  ]
  const listed = cards.map(({ id, position, status }) => ({
    number: numberOfCard(position),
    card: id,
    status,
  }))
  return { lines, data: { order: orderId, cards: listed }, ok: true }
}

/** The width that is left beside the columns of the time and of the event. */
const DETAILS_WIDTH = 50

/**
 * `card <card or order>`: everything known about one card, without a key or an address. Alarms and logs name a card's order;
 * of an order of many all its cards are listed, each of which has a file of its own.
 */
export const card: Command = {
  name: 'card',
  usage: '<card or order>',
  summary: 'says the state and the history of one card, never its keys; lists the cards of an order of many',
  async run(tools, args) {
    const id = oneWord(readArguments(args).words, 'the id of one card, or of its order')
    const db = await tools.database()
    const many = await db.read(reader => namedMany(reader, id))
    if (many) return cardsOfMany(many)
    const file = await db.snapshot(reader => namedCardFile(reader, id))
    const credit = file.kind === 'volunteering' ? '' : ` ${amount(file.credit)} ${file.currency},`
    const lines = [
      `Card ${file.id}: ${file.status},${credit} ${file.kind}, in ${file.language}`,
      `Its buyer is ${file.hasAddress ? 'known' : 'forgotten'}; its links are version ${turnOf(file.keyVersion)}.`,
      // A used or refunded card is never given away, and an invitation has no year.
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

/** For each hold: why nobody can use the card now, and until when. */
const HELD: Readonly<Record<HoldReason, string>> = {
  dispute:
    'Its payment is disputed: answer in the payment account. Nobody can use it until the dispute is over.',
  operator: 'An operator holds it: nobody can use it until somebody says `release`.',
  refund:
    'A refund is under way: nobody can use it meanwhile. Ten minutes after a refund without an answer `release` ends that too.',
  withdrawal: 'Its buyer has withdrawn: nobody can use it, and what was paid goes back.',
  draw: 'Its recipient left it to the draw: the next draw takes it, or has taken it.',
}

/**
 * `resend <card or order>`: has the running site send a card's mail again. The mail goes to the address of the payment
 * or claim, or to the corrected address.
 */
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
