import { ALL_GIFT_KINDS, GIFTS } from '#domain/card/gifts.ts'
import { type CardStatus, isVisible } from '#domain/card/states.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { engineOf, sharedTime } from '#server/platform/db/database-time.ts'
import { isFree } from '#server/platform/outbox/claim.ts'
import { isOfMany } from './of-many.ts'
import { type NewMail, queueMail, queueMails } from './queue-mail.ts'
import { type CardOf, cardsOfOrder, lockCard } from './stored-cards.ts'

export interface ConfirmationOf {
  readonly kind: GiftKind
  readonly orderId: string
  readonly cardId: string
  /** Epoch ms UTC. */
  readonly now: number
}

/** The mail that every paid order sends, once: about its card, or as the first of many. */
export async function queueFirstConfirmation(trx: Writer, confirmation: ConfirmationOf): Promise<void> {
  await queueFirstConfirmations(trx, [confirmation])
}

/** Queues the confirmations of many cards at once. */
export async function queueFirstConfirmations(trx: Writer, many: readonly ConfirmationOf[]): Promise<void> {
  await queueMails(
    trx,
    many.map(card => jobOf(card, `${GIFTS[card.kind].confirmation.first}:${card.orderId}`)),
  )
}

/** A further mail that the buyer, or the operator, asked for; `count` is how many there were. */
export async function queueConfirmationAgain(
  trx: Writer,
  { count, ...card }: Omit<ConfirmationOf, 'orderId'> & { readonly count: number },
): Promise<void> {
  await queueMail(trx, jobOf(card, `${GIFTS[card.kind].confirmation.again}:${card.cardId}:${count}`))
}

function jobOf({ kind, cardId, now }: Omit<ConfirmationOf, 'orderId'>, dedupeKey: string): NewMail {
  return { kind: GIFTS[kind].confirmation.mail, dedupeKey, payload: { cardId }, runAt: now, subject: cardId }
}

const MAILS = Object.values(GIFTS).map(({ confirmation }) => confirmation.mail)

export interface ConfirmationRecord {
  readonly id: string
  readonly createdAt: number
  readonly isWaiting: boolean
  readonly isSent: boolean
  /** When it was delivered, epoch ms UTC; undefined while it was not. */
  readonly sentAt: number | undefined
  /** How many tries there were, including the one that is running. */
  readonly tries: number
  /** A try is being made, or its process has died over it. */
  readonly isInHand: boolean
  /** Whether the last try failed. A waiting mail is tried again. */
  readonly hasFailed: boolean
  /** A code of the mail server's or our own word; null while no try has failed. */
  readonly failedReason: string | null
}

/** Every confirmation of a card or an invitation, oldest first. */
export async function confirmationsOf(db: Reader, cardId: string): Promise<readonly ConfirmationRecord[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'created_at', 'done_at', 'failed_reason', 'attempts', 'lease_until'])
    .where('subject', '=', cardId)
    .where('kind', 'in', MAILS)
    .orderBy('created_at')
    .execute()
  return jobs.map(job => ({
    id: job.id,
    createdAt: job.created_at,
    isWaiting: job.done_at === null,
    isSent: job.done_at !== null && job.failed_reason === null,
    sentAt: job.failed_reason === null ? (job.done_at ?? undefined) : undefined,
    tries: job.attempts,
    isInHand: job.lease_until !== null,
    hasFailed: job.failed_reason !== null,
    failedReason: job.failed_reason,
  }))
}

/** Brings a waiting mail's next try forward to now, unless one is being made. */
export async function tryNow(trx: Writer, jobId: string, now: number): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ run_at: now })
    .where('id', '=', jobId)
    .where('done_at', 'is', null)
    .where('run_at', '>', now)
    .where(eb => isFree(eb, sharedTime(engineOf(trx), now)))
    .execute()
}

/** The buyer has got a mail, and no further one that was asked for is still on its way. */
export async function isConfirmationSent(db: Reader, cardId: string): Promise<boolean> {
  const mails = await confirmationsOf(db, cardId)
  return mails.some(({ isSent }) => isSent) && !mails.some(({ isWaiting }) => isWaiting)
}

/**
 * Queues a card's mail once more for the operator, without the buyer's limit; one that waits is tried now. Of an order of
 * many it is the one mail of the order, which goes as long as any of its cards can be shown.
 * @returns what became of it
 */
export async function queueAgain(
  trx: Writer,
  cardId: string,
  now: number,
): Promise<'queued' | 'joined' | 'card-not-found' | 'no-address'> {
  const found = await lockAny(trx, cardId)
  if (!found) return 'card-not-found'
  const { kind, card } = found
  const cards = await mailedWith(trx, kind, card)
  const [first = card] = cards
  if (!cards.some(({ status }) => isVisible(status))) return 'card-not-found'
  if (cards.every(({ email }) => email === null)) return 'no-address'
  const mails = await confirmationsOf(trx, first.id)
  const waiting = mails.find(({ isWaiting }) => isWaiting)
  if (waiting) {
    await tryNow(trx, waiting.id, now)
    return 'joined'
  }
  await queueConfirmationAgain(trx, { kind, cardId: first.id, now, count: mails.length })
  return 'queued'
}

/** The cards that one mail is about: the card itself; of many, all of its order, of which the first gives the mail its name. */
async function mailedWith<Kind extends GiftKind>(
  db: Reader,
  kind: Kind,
  card: CardOf[Kind],
): Promise<readonly Pick<CardOf[Kind], 'id' | 'status' | 'email'>[]> {
  const { order_id: orderId } = card
  return orderId !== null && (await isOfMany(db, card)) ? cardsOfOrder(db, kind, orderId) : [card]
}

/** The reason of a mail that was given up because its card could not be shown then. */
export const CARD_NOT_SHOWN = 'card-not-found'

/**
 * Queues the mail of a card once more that could not be sent while the card was held: a dispute was won, say, and its
 * buyer has no links yet. Nothing is queued where a mail was sent before, or waits.
 * @param change the card as it was, locked, and the state that it gets
 */
export async function queueHeldConfirmation<Kind extends GiftKind>(
  trx: Writer,
  kind: Kind,
  {
    card,
    status,
    now,
  }: {
    readonly card: Pick<CardOf[Kind], 'id' | 'status' | 'email'>
    readonly status: CardStatus
    readonly now: number
  },
): Promise<void> {
  if (isVisible(card.status) || !isVisible(status) || card.email === null) return
  const mails = await confirmationsOf(trx, card.id)
  if (mails.length === 0 || mails.some(({ isSent, isWaiting }) => isSent || isWaiting)) return
  if (mails.at(-1)?.failedReason !== CARD_NOT_SHOWN) return
  await queueConfirmationAgain(trx, { kind, cardId: card.id, now, count: mails.length })
}

/** The card of whichever kind has this id, locked. */
async function lockAny(trx: Writer, cardId: string) {
  for (const kind of ALL_GIFT_KINDS) {
    const card = await lockCard(trx, kind, cardId)
    if (card) return { kind, card }
  }
  return undefined
}
