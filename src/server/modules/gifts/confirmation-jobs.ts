import { isVisible } from '#domain/card/states.ts'
import {
  queueVolunteeringConfirmationAgain,
  VOLUNTEERING_CONFIRMATION,
} from '#server/modules/gifts/invitations/mail-jobs.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { isFree } from '#server/platform/outbox/claim.ts'
import { enqueue, enqueueEach, type NewJob } from '#server/platform/outbox/enqueue.ts'
import { lockCard, lockVolunteeringCard } from './locked-card.ts'

export const CONFIRMATION = 'confirmation'

export interface ConfirmationOf {
  readonly orderId: string
  readonly cardId: string
  /** Epoch ms UTC. */
  readonly now: number
}

/** What the mail's job holds: the keys are derived and the address is looked up when it is sent. */
export interface ConfirmationPayload {
  readonly cardId: string
}

/** The mail that every paid card sends, once. */
export async function queueFirstConfirmation(trx: Writer, confirmation: ConfirmationOf): Promise<void> {
  await queueFirstConfirmations(trx, [confirmation])
}

/** The same for many cards at once. */
export async function queueFirstConfirmations(trx: Writer, many: readonly ConfirmationOf[]): Promise<void> {
  await enqueueEach(
    trx,
    many.map(({ orderId, cardId, now }) => jobOf(`giftcard:${orderId}`, cardId, now)),
  )
}

/** A further mail that the buyer asked for; `count` is how many there were. */
export async function queueConfirmationAgain(
  trx: Writer,
  { cardId, now, count }: Omit<ConfirmationOf, 'orderId'> & { readonly count: number },
): Promise<void> {
  await enqueue(trx, jobOf(`giftcard-again:${cardId}:${count}`, cardId, now))
}

function jobOf(dedupeKey: string, cardId: string, now: number): NewJob {
  const payload: ConfirmationPayload = { cardId }
  return { kind: CONFIRMATION, dedupeKey, payload, runAt: now, subject: cardId }
}

export interface ConfirmationRecord {
  readonly id: string
  readonly createdAt: number
  readonly isWaiting: boolean
  readonly isSent: boolean
  /** When it was delivered, epoch ms UTC; undefined while it was not. */
  readonly sentAt: number | undefined
  /** How often it was tried, the try that is being made included. */
  readonly tries: number
  /** A try is being made, or its process has died over it. */
  readonly isInHand: boolean
  /** Its last try did not get through; still waiting, it will be tried again. */
  readonly hasFailed: boolean
}

/** Every confirmation of a card or an invitation, oldest first. */
export async function confirmationsOf(db: Reader, cardId: string): Promise<readonly ConfirmationRecord[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'created_at', 'done_at', 'failed_reason', 'attempts', 'lease_until'])
    .where('subject', '=', cardId)
    .where('kind', 'in', [CONFIRMATION, VOLUNTEERING_CONFIRMATION])
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
    .where(eb => isFree(eb, now))
    .execute()
}

/** The buyer has got a mail, and no further one that was asked for is still on its way. */
export async function isConfirmationSent(db: Reader, cardId: string): Promise<boolean> {
  const mails = await confirmationsOf(db, cardId)
  return mails.some(({ isSent }) => isSent) && !mails.some(({ isWaiting }) => isWaiting)
}

/**
 * Queues a card's mail once more for the operator, without the buyer's limit; one that waits is tried now.
 * @returns what became of it
 */
export async function queueAgain(
  trx: Writer,
  cardId: string,
  now: number,
): Promise<'queued' | 'joined' | 'card-not-found' | 'no-address'> {
  const donation = await lockCard(trx, 'id', cardId)
  const card = donation ?? (await lockVolunteeringCard(trx, 'id', cardId))
  if (!card || !isVisible(card.status)) return 'card-not-found'
  if (card.email === null) return 'no-address'
  const mails = await confirmationsOf(trx, cardId)
  const waiting = mails.find(({ isWaiting }) => isWaiting)
  if (waiting) {
    await tryNow(trx, waiting.id, now)
    return 'joined'
  }
  const further = { cardId, now, count: mails.length }
  await (donation ? queueConfirmationAgain(trx, further) : queueVolunteeringConfirmationAgain(trx, further))
  return 'queued'
}
