import { canBeHeld } from '#domain/card/holds.ts'
import { isGiven } from '#domain/card/states.ts'
import { invoiceNumber } from '#domain/invoice/invoice.ts'
import { maskAddress } from '#domain/mail/mask-address.ts'
import type { Currency } from '#domain/money/currency.ts'
import { isAbout, placesNamed } from '#domain/withdrawal/cards.ts'
import { holdsOn, statusesToWithdraw } from '#server/modules/gifts/holds.ts'
import { messageOf } from '#server/modules/gifts/messages.ts'
import { isOfMany } from '#server/modules/gifts/of-many.ts'
import type { PlaceInOrder } from '#server/modules/gifts/order-rows.ts'
import { sendingOf } from '#server/modules/gifts/sendings/stored.ts'
import { type CardOf, cardsOfOrder, storedCard } from '#server/modules/gifts/stored-cards.ts'
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
  const mails = await mailsOf(db, card)
  const { facts, events } =
    found.giftKind === 'donation' ? await ofCredit(db, found.card) : ofInvitation(found.card)
  const history: readonly CardEvent[] = [
    ...(await orderEvents(db, card.order_id)),
    ...events,
    ...(await eventsOfUse(db, card.id)),
    ...(await bookedEvents(db, card)),
    ...(await answerEvents(db, card.id)),
    ...(await sendingEvents(db, card.id)),
    ...(await withdrawalEvents(db, card)),
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
    hasMessage: (await messageOf(db, card)) !== null,
    /** As only its owner recognizes it; null where it is forgotten. */
    address: card.email === null ? null : maskAddress(card.email),
    keyVersion: card.key_version,
    createdAt: card.created_at,
    orderId: card.order_id,
    holds: await holdsOn(db, card.id),
    refundable: await refundableOf(db, card),
    many: await manyFacts(db, card),
    ...facts,
    // The sort is stable: events of the same time keep their order.
    history: history.toSorted((a, b) => a.at - b.at),
  }
}

/** A card's row and its gift kind. Cards with a credit, free cards too, are in the table of donation cards. */
export type FoundCard =
  | { readonly giftKind: 'donation'; readonly card: CardOf['donation'] }
  | { readonly giftKind: 'volunteering'; readonly card: CardOf['volunteering'] }

/** The row of the card with this id, or of the first card with an order of this id. */
export async function findCard(db: Reader, cardOrOrder: string): Promise<FoundCard | undefined> {
  const card =
    (await storedCard(db, 'donation', cardOrOrder)) ?? (await cardsOfOrder(db, 'donation', cardOrOrder))[0]
  if (card) return { giftKind: 'donation', card }
  const invitation =
    (await storedCard(db, 'volunteering', cardOrOrder)) ??
    (await cardsOfOrder(db, 'volunteering', cardOrOrder))[0]
  return invitation && { giftKind: 'volunteering', card: invitation }
}

/** An order of many that is paid, with its cards by their places. */
export interface FoundMany {
  readonly orderId: string
  readonly cards: readonly [CardOf['donation'], ...CardOf['donation'][]]
}

/** The order of many of this id; undefined for the id of a card, or of an order of one. */
export async function findMany(db: Reader, orderId: string): Promise<FoundMany | undefined> {
  const [first, ...others] = await cardsOfOrder(db, 'donation', orderId)
  return first && others.length > 0 ? { orderId, cards: [first, ...others] } : undefined
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
  const many = order.card_count === 1 ? '' : ` for ${order.card_count} cards`
  const own = order.split_sealed === null ? '' : ', own money that a recipient added'
  const details = `order ${order.id}, ${written(order.total_amount)} ${order.currency} in all${many}${own}`
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

/** The amount of a payment, and the charge or the invoice that it was paid by. */
async function paidWith(
  db: Reader,
  { id, total_amount: amount, currency }: { id: string; total_amount: number; currency: Currency },
) {
  const row = await db.selectFrom('charges').select('charge_id').where('order_id', '=', id).executeTakeFirst()
  const invoice = row ? undefined : await invoiceNamed(db, id)
  const ids = [row?.charge_id ?? invoice?.number ?? []].flat()
  const details = row
    ? `charge ${row.charge_id}`
    : invoice
      ? `invoice ${invoice.number}, at the bank on ${invoice.paidOn}`
      : ''
  return { details, amount: { amount, currency }, ids }
}

/** The invoice that an order is paid by; undefined for one that is paid at the provider. */
async function invoiceNamed(db: Reader, orderId: string) {
  const row = await db
    .selectFrom('invoices')
    .select(['year', 'number', 'paid_on'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row && { number: invoiceNumber({ ...row, orderId }), paidOn: row.paid_on }
}

/** The events of the buyer's withdrawals from this card, without the buyer's own words. */
async function withdrawalEvents(
  db: Reader,
  { order_id: orderId, position = 0 }: PlaceInOrder,
): Promise<CardEvent[]> {
  if (orderId === null) return []
  const rows = await db
    .selectFrom('withdrawals')
    .select(['cards', 'state', 'answer', 'amount', 'stated_at', 'confirmed_at', 'changed_at'])
    .where('order_id', '=', orderId)
    .orderBy('number')
    .execute()
  const own = rows.filter(({ cards }) => isAbout({ cards: placesNamed(cards) }, position))
  return own.flatMap(row => {
    const of = row.cards === null ? '' : `, for cards ${row.cards}`
    return [
      { at: row.stated_at, what: 'withdrawal stated', details: '' },
      {
        at: row.confirmed_at,
        what: 'withdrawn',
        details: `answered: ${row.answer}, ${written(row.amount)}${of}`,
      },
      { at: row.changed_at, what: 'withdrawal', details: row.state },
    ]
  })
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

/** What its giver asked to have mailed, and what became of it: never where it goes. */
async function sendingEvents(db: Reader, cardId: string): Promise<CardEvent[]> {
  const sending = await sendingOf(db, cardId)
  if (sending === undefined) return []
  const { created_at, changed_at, state, why, day, zone, changes_left: left } = sending
  const asked = { at: created_at, what: 'sending asked for', details: '' }
  const details = [`${day} ${zone}`, ...(why === null ? [] : [why]), `${left} changes left`].join(', ')
  return [asked, { at: changed_at, what: `sending ${state}`, details }]
}

type Mail = Awaited<ReturnType<typeof mailsOf>>[number]

/** The mails about a card; of a card of many those of its order too, whichever of its cards they are named after. */
async function mailsOf(db: Reader, card: FoundCard['card']) {
  const { id, order_id: orderId } = card
  const own = await mailRows(db).where('subject', '=', id).execute()
  if (orderId === null || !(await isOfMany(db, card))) return own
  const others = await mailRows(db)
    .where('subject', 'in', eb =>
      eb.selectFrom('cards').select('cards.id').where('order_id', '=', orderId).where('cards.id', '<>', id),
    )
    .where('kind', 'in', MAILS_OF_MANY)
    .execute()
  return [...own, ...others]
}

const MAILS_OF_MANY = ['confirmation', 'reminder', 'auto-donated']

const mailRows = (db: Reader) =>
  db
    .selectFrom('jobs')
    .select(['id', 'kind', 'created_at', 'done_at', 'failed_reason', 'attempts', 'run_at'])
    .select(needsSomebody.as('needs_somebody'))

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
  refund: 'by a refund under way',
  withdrawal: 'by a withdrawal',
  draw: 'by the draw: its recipient left it to chance',
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
async function refundableOf(db: Reader, card: FoundCard['card']) {
  const { id, order_id: orderId } = card
  if (orderId === null) return null
  const used = isGiven((await statusesToWithdraw(db, [card]))(card))
  const {
    total_amount: total,
    card_count: count,
    currency,
  } = await db
    .selectFrom('orders')
    .select(['total_amount', 'card_count', 'currency'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const back = await db
    .selectFrom('reversals')
    .select(['refunded', 'lost'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  const left = Math.max(0, total - (back?.refunded ?? 0) - (back?.lost ?? 0))
  if (count === 1) return { left, currency, used }
  const own = await db
    .selectFrom('card_reversals')
    .select(['refunded', 'lost'])
    .where('card_id', '=', id)
    .executeTakeFirst()
  // What goes back of a card of many is of that card alone.
  const leftOfCard = Math.max(0, total / count - (own?.refunded ?? 0) - (own?.lost ?? 0))
  // Nothing that a person did not transfer goes back of an invoice.
  const byTransfer = (await invoiceNamed(db, orderId)) !== undefined
  return { left, leftOfCard: Math.min(left, leftOfCard), currency, used, ...(byTransfer && { byTransfer }) }
}

/** How the cards of its order stand, of an order of many; null for a card that was bought alone, or claimed. */
async function manyFacts(db: Reader, card: FoundCard['card']) {
  const { order_id: orderId } = card
  if (orderId === null || !(await isOfMany(db, card))) return null
  const rows = await db
    .selectFrom('cards')
    .leftJoin('card_holds as own', join =>
      join.onRef('own.card_id', '=', 'cards.id').on('own.reason', '=', 'operator'),
    )
    .select(['status', 'own.reason'])
    .where('order_id', '=', orderId)
    .execute()
  return {
    cards: rows.length,
    /** Those that a hold of all of them would stop. */
    toHold: rows.filter(({ status, reason }) => canBeHeld(status) && reason === null).length,
    /** Those that an operator holds. */
    held: rows.filter(({ reason }) => reason !== null).length,
  }
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
