import { maskAddress } from '#domain/mail/mask-address.ts'
import type { Currency } from '#domain/money/currency.ts'
import { holdsOn } from '#server/modules/gifts/holds.ts'
import { messageOf } from '#server/modules/gifts/messages.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { needsSomebody } from '#server/platform/outbox/unsent.ts'
import { bookedEvents } from './booked.ts'
import { providerEvents } from './provider-events.ts'
import { written } from './written.ts'

/** Something that happened to a card. */
export interface CardEvent {
  /** Epoch ms UTC. */
  readonly at: number
  readonly what: string
  readonly details: string
  /** What it is about, minor units; missing where it is about no money. */
  readonly amount?: { readonly amount: number; readonly currency: Currency }
  /** Ids to look for elsewhere: the payment provider's, and our payouts'. */
  readonly ids?: readonly string[]
  /** The id of a mail that was given up and waits for somebody. */
  readonly mail?: string
}

export type CardFile = NonNullable<Awaited<ReturnType<typeof cardFile>>>

/**
 * A card or an invitation, found by its id or by its order's id, with everything that happened to it, oldest first.
 * It holds no key, no digest, no session's id, no name, no whole address and no words of the sender. Each question is
 * answered by an index, however many cards there are.
 */
export async function cardFile(db: Reader, cardOrOrder: string) {
  const found = await findCard(db, cardOrOrder)
  if (found === undefined) return undefined
  const { card } = found
  const mails = await mailsOf(db, card.id)
  const { facts, events } =
    found.giftKind === 'donation' ? await ofCredit(db, found.card) : ofInvitation(found.card)
  const history: readonly CardEvent[] = [
    ...(await orderEvents(db, card.order_id)),
    ...events,
    ...(await eventsOfUse(db, card.id)),
    ...(await bookedEvents(db, card)),
    ...(await answerEvents(db, card.id)),
    ...(await withdrawalEvents(db, card.order_id)),
    ...(await providerEvents(db, card.order_id)),
    ...mails.flatMap(mailEvents),
    ...(await holdEvents(db, card.id)),
    ...(await payoutEvents(db, card.id)),
    ...(await actEvents(db, [
      card.id,
      ...(card.order_id === null ? [] : [card.order_id]),
      ...mails.map(({ id }) => id),
    ])),
  ]
  return {
    id: card.id,
    status: card.status,
    language: card.language,
    themeId: card.theme_id,
    hasAddress: card.email !== null,
    hasMessage: (await messageOf(db, card.order_id)) !== null,
    /** As only its owner recognizes it; null where it is forgotten. */
    address: card.email === null ? null : maskAddress(card.email),
    keyVersion: card.key_version,
    createdAt: card.created_at,
    orderId: card.order_id,
    holds: await holdsOn(db, card.id),
    refundable: await refundableOf(db, card.order_id),
    ...facts,
    // The sort is stable: events of the same time keep their order.
    history: history.toSorted((a, b) => a.at - b.at),
  }
}

/** A card's row and its gift kind. Cards with a credit, free cards too, are in the table of donation cards. */
export type FoundCard =
  | { readonly giftKind: 'donation'; readonly card: CardOf['donation'] }
  | { readonly giftKind: 'volunteering'; readonly card: CardOf['volunteering'] }

/** The row of the card with this id, or with an order of this id. */
export async function findCard(db: Reader, cardOrOrder: string): Promise<FoundCard | undefined> {
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
  const made = { at: card.created_at, what: 'made', details: `${written(credit)} ${currency}` }
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
  const details = `order ${order.id}, ${written(order.total_amount)} ${order.currency} in all`
  const { fallback_ngo_id: fallback, fulfilment_consent: consent } = order
  return [
    { at: order.created_at, what: 'ordered', details },
    { at: order.created_at, what: 'accepted', details: `terms of version ${order.terms_version}` },
    ...(consent === null ? [] : [{ at: order.created_at, what: 'agreed', details: consent }]),
    ...(fallback === null
      ? []
      : [{ at: order.created_at, what: 'named', details: `${fallback}, for the end if nobody uses it` }]),
    ...(order.settled_at === null
      ? []
      : [{ at: order.settled_at, what: 'paid', ...(await paidWith(db, order)) }]),
  ]
}

/** The amount of a payment, and the charge that paid it. */
async function paidWith(
  db: Reader,
  { id, total_amount: amount, currency }: { id: string; total_amount: number; currency: Currency },
) {
  const row = await db.selectFrom('charges').select('charge_id').where('order_id', '=', id).executeTakeFirst()
  const ids = row ? [row.charge_id] : []
  return { details: row ? `charge ${row.charge_id}` : '', amount: { amount, currency }, ids }
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
    { at: row.confirmed_at, what: 'withdrawn', details: `answered: ${row.answer}, ${written(row.amount)}` },
    { at: row.changed_at, what: 'withdrawal', details: row.state },
  ]
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

type Mail = Awaited<ReturnType<typeof mailsOf>>[number]

const mailsOf = (db: Reader, cardId: string) =>
  db
    .selectFrom('jobs')
    .select(['id', 'kind', 'created_at', 'done_at', 'failed_reason', 'attempts', 'run_at'])
    .select(needsSomebody.as('needs_somebody'))
    .where('subject', '=', cardId)
    .execute()

/** The facts about a mail stand in the details, whose lines are broken, so that the first columns stay narrow. */
function mailEvents(mail: Mail): readonly CardEvent[] {
  const { kind, created_at, done_at: doneAt, failed_reason: reason } = mail
  const asked = { at: created_at, what: 'mail asked for', details: kind }
  if (doneAt === null) {
    const details = `${kind}, ${reason}, try ${mail.attempts + 1}`
    return reason === null ? [asked] : [asked, { at: mail.run_at, what: 'mail comes again', details }]
  }
  if (reason === null) return [asked, { at: doneAt, what: 'mail sent', details: kind }]
  return [
    asked,
    {
      at: doneAt,
      what: 'mail given up',
      details: `${kind}, ${reason}`,
      ...(mail.needs_somebody && { mail: mail.id }),
    },
  ]
}

/** The one use of a card, and how its credit was split. */
async function eventsOfUse(db: Reader, cardId: string): Promise<CardEvent[]> {
  const use = await db
    .selectFrom('redemptions')
    .select(['cause', 'created_at'])
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  if (use === undefined) return []
  const parts = await db
    .selectFrom('allocations')
    .select(['ngo_id', 'amount', 'currency'])
    .where('card_id', '=', cardId)
    .orderBy('position')
    .execute()
  const split = parts.map(part => `${part.ngo_id} ${written(part.amount)} ${part.currency}`)
  const what = use.cause === 'recipient' ? 'used' : 'given away'
  return [{ at: use.created_at, what, details: split.join(', ') }]
}

/** The reasons that hold it now, since when. */
async function holdEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const rows = await db
    .selectFrom('card_holds')
    .select(['reason', 'created_at'])
    .where('card_id', '=', cardId)
    .execute()
  return rows.map(({ reason, created_at: at }) => ({ at, what: 'held', details: HOLDERS[reason] }))
}

const HOLDERS = {
  dispute: 'by a dispute',
  operator: 'by an operator',
  withdrawal: 'by a withdrawal',
} as const

/** What organisations got of it: when the payout was made, and when the bank paid it. */
async function payoutEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const rows = await db
    .selectFrom('payout_allocations as part')
    .innerJoin('payouts', 'payouts.id', 'part.payout_id')
    .innerJoin('allocations', join =>
      join.onRef('allocations.card_id', '=', 'part.card_id').onRef('allocations.ngo_id', '=', 'part.ngo_id'),
    )
    .select([
      'payouts.id',
      'payouts.created_at',
      'payouts.paid_at',
      'allocations.ngo_id',
      'allocations.amount',
      'allocations.currency',
    ])
    .where('part.card_id', '=', cardId)
    .execute()
  return rows.flatMap(row => {
    const { amount, currency } = row
    const event = {
      details: `to ${row.ngo_id}, payout ${row.id}`,
      amount: { amount, currency },
      ids: [row.id],
    }
    return [
      { at: row.created_at, what: 'payout made', ...event },
      ...(row.paid_at === null ? [] : [{ at: row.paid_at, what: 'payout paid', ...event }]),
    ]
  })
}

/** What of its payment has not gone back, as far as the payment provider has said; null where nobody paid. */
async function refundableOf(db: Reader, orderId: string | null) {
  if (orderId === null) return null
  const { total_amount: total, currency } = await db
    .selectFrom('orders')
    .select(['total_amount', 'currency'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const back = await db
    .selectFrom('reversals')
    .select(['refunded', 'lost'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return { left: Math.max(0, total - (back?.refunded ?? 0) - (back?.lost ?? 0)), currency }
}

/** What operators did about it, from the audit log. */
async function actEvents(db: Reader, subjects: readonly string[]): Promise<CardEvent[]> {
  const rows = await db
    .selectFrom('audit_log')
    .leftJoin('people', 'people.id', 'audit_log.person_id')
    .select(['actor', 'action', 'outcome', 'audit_log.created_at', 'people.name'])
    .where('subject', 'in', subjects)
    .orderBy('audit_log.created_at')
    .execute()
  return rows.map(({ actor, action, outcome, name, created_at: at }) => ({
    at,
    what: 'operator',
    details: `${action}, ${actor === 'terminal' ? 'at the terminal' : 'in the Studio'}${name === null ? '' : ` by ${name}`}, ${outcome}`,
  }))
}
