import { holdsOn } from '#server/modules/gifts/holds.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import { Refusal } from './command.ts'
import { amount } from './table.ts'

export interface CardEvent {
  /** Epoch ms UTC. */
  readonly at: number
  readonly what: string
  readonly details: string
}

/**
 * A card or an invitation, found by its id or by its order's id, with everything that happened to it, oldest first.
 * It holds no key, no digest, no name, no address and no words of the sender.
 */
export async function cardFile(db: Reader, cardOrOrder: string) {
  const found = await findCard(db, cardOrOrder)
  if (found === undefined) return undefined
  const { card } = found
  const { facts, events } =
    found.giftKind === 'donation' ? await ofCredit(db, found.card) : ofInvitation(found.card)
  const history = [
    ...(await orderEvents(db, card.order_id)),
    ...events,
    ...(await bookedEvents(db, card)),
    ...(await answerEvents(db, card.id)),
    ...(await withdrawalEvents(db, card.order_id)),
    ...(await mailEvents(db, card.id)),
  ]
  return {
    id: card.id,
    status: card.status,
    language: card.language,
    themeId: card.theme_id,
    hasAddress: card.email !== null,
    keyVersion: card.key_version,
    createdAt: card.created_at,
    orderId: card.order_id,
    holds: await holdsOn(db, card.id),
    ...facts,
    // The sort is stable: events of the same time keep their order.
    history: history.toSorted((a, b) => a.at - b.at),
  }
}

/** A card's row and its gift kind. Cards with a credit, free cards too, are in the table of donation cards. */
type FoundCard =
  | { readonly giftKind: 'donation'; readonly card: CardOf['donation'] }
  | { readonly giftKind: 'volunteering'; readonly card: CardOf['volunteering'] }

async function findCard(db: Reader, cardOrOrder: string): Promise<FoundCard | undefined> {
  const card =
    (await storedCard(db, 'donation', 'id', cardOrOrder)) ??
    (await storedCard(db, 'donation', 'order_id', cardOrOrder))
  if (card) return { giftKind: 'donation', card }
  const invitation =
    (await storedCard(db, 'volunteering', 'id', cardOrOrder)) ??
    (await storedCard(db, 'volunteering', 'order_id', cardOrOrder))
  return invitation && { giftKind: 'volunteering', card: invitation }
}

async function ofCredit(db: Reader, card: CardOf['donation']) {
  const { kind, credit, currency, auto_donate_at: autoDonateAt } = card
  const made = { at: card.created_at, what: 'made', details: `${amount(credit)} ${currency}` }
  return {
    facts: { kind, credit, currency, autoDonateAt },
    events: [made, ...(await drawEvents(db, card.id))],
  }
}

function ofInvitation({ created_at, answer, answered_at: at, answers }: CardOf['volunteering']) {
  return {
    facts: { kind: 'volunteering' as const, answer },
    events: [
      { at: created_at, what: 'made', details: 'an invitation' },
      ...(answer === null || at === null
        ? []
        : [{ at, what: 'answered', details: answers === 1 ? answer : `${answer}, answer ${answers}` }]),
    ],
  }
}

async function orderEvents(db: Reader, orderId: string | null): Promise<CardEvent[]> {
  if (orderId === null) return []
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const details = `order ${order.id}, ${amount(order.total_amount)} ${order.currency} in all`
  const { fallback_ngo_id: fallback } = order
  return [
    { at: order.created_at, what: 'ordered', details },
    ...(fallback === null
      ? []
      : [{ at: order.created_at, what: 'named', details: `${fallback}, for the end if nobody uses it` }]),
    ...(order.settled_at === null ? [] : [{ at: order.settled_at, what: 'paid', details: '' }]),
  ]
}

/** The events of the buyer's withdrawal, without the buyer's own words. */
async function withdrawalEvents(db: Reader, orderId: string | null): Promise<CardEvent[]> {
  if (orderId === null) return []
  const row = await db
    .selectFrom('withdrawals')
    .select(['state', 'answer', 'amount', 'stated_at', 'confirmed_at', 'changed_at'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  if (row === undefined) return []
  return [
    { at: row.stated_at, what: 'withdrawal stated', details: '' },
    { at: row.confirmed_at, what: 'withdrawn', details: `answered: ${row.answer}, ${amount(row.amount)}` },
    { at: row.changed_at, what: 'withdrawal', details: row.state },
  ]
}

/** What was booked for a card. The books name an invitation only by its order. */
async function bookedEvents(db: Reader, card: { id: string; order_id: string | null }): Promise<CardEvent[]> {
  const entries = await db
    .selectFrom('ledger_entries')
    .select(['set_id', 'cause', 'account', 'amount', 'currency', 'created_at'])
    .where(eb => eb.or([eb('card_id', '=', card.id), eb('order_id', '=', card.order_id)]))
    .orderBy('created_at')
    .orderBy('set_id')
    .orderBy('account')
    .execute()
  return [...Map.groupBy(entries, ({ set_id }) => set_id).values()].map(set => ({
    at: set[0]!.created_at,
    what: `booked: ${set[0]!.cause}`,
    details: set.map(entry => `${entry.account} ${amount(entry.amount)}`).join(', '),
  }))
}

async function drawEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const draw = await db.selectFrom('draws').selectAll().where('card_id', '=', cardId).executeTakeFirst()
  if (draw === undefined) return []
  const { length } = JSON.parse(draw.candidates) as readonly string[]
  return [
    draw.chosen_by === 'buyer'
      ? { at: draw.created_at, what: 'given', details: `${draw.ngo_id}, as the buyer asked` }
      : {
          at: draw.created_at,
          what: 'drawn',
          details: `${draw.ngo_id}, place ${draw.drawn + 1} of ${length}`,
        },
  ]
}

/** The events of the answers to the giver: that one was sent, never its words, and who stopped them. */
async function answerEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const answer = await db
    .selectFrom('gift_answers')
    .select(['letter', 'created_at'])
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  const stops = await db
    .selectFrom('letter_stops')
    .select(['stopped_by', 'created_at'])
    .where('card_id', '=', cardId)
    .execute()
  return [
    ...(answer
      ? [{ at: answer.created_at, what: 'answered', details: `in the ${answer.letter} letter` }]
      : []),
    ...stops.map(({ stopped_by, created_at }) =>
      stopped_by === 'giver'
        ? { at: created_at, what: 'letter stopped', details: 'by its giver' }
        : { at: created_at, what: 'answer blocked', details: 'by an operator' },
    ),
  ]
}

async function mailEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['kind', 'created_at', 'done_at', 'failed_reason', 'attempts', 'run_at'])
    .where('subject', '=', cardId)
    .execute()
  // The facts about a mail stand in the details, whose lines are broken, so that the first columns stay narrow.
  return jobs.flatMap(job => [
    { at: job.created_at, what: 'mail asked for', details: job.kind },
    ...(job.done_at === null
      ? job.failed_reason === null
        ? []
        : [
            {
              at: job.run_at,
              what: 'mail comes again',
              details: `${job.kind}, ${job.failed_reason}, try ${job.attempts + 1}`,
            },
          ]
      : [
          {
            at: job.done_at,
            what: job.failed_reason === null ? 'mail sent' : 'mail given up',
            details: [job.kind, job.failed_reason].filter(Boolean).join(', '),
          },
        ]),
  ])
}

/** The row of the card with this id, or with an order of this id. @throws Refusal where there is none */
export async function namedCard(db: Reader, word: string): Promise<FoundCard> {
  return (isIdShaped(word) ? await findCard(db, word) : undefined) ?? refuse(word)
}

/** The file of the card with this id, or with an order of this id. @throws Refusal where there is none */
export async function namedCardFile(db: Reader, word: string) {
  return (isIdShaped(word) ? await cardFile(db, word) : undefined) ?? refuse(word)
}

function refuse(word: string): never {
  throw new Refusal(`There is no card "${word}". \`cards\` lists them.`)
}
