import type { Answer } from '#domain/volunteering/answer.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { enqueue, type NewJob } from '#server/platform/outbox/enqueue.ts'

export const VOLUNTEERING_CONFIRMATION = 'volunteering-confirmation'
export const VOLUNTEERING_ANSWER = 'volunteering-answer'

/** What the jobs hold: the key is derived and the address is looked up when a mail is sent. */
export interface VolunteeringPayload {
  readonly cardId: string
}

export interface AnswerPayload extends VolunteeringPayload {
  readonly answer: Answer
}

interface VolunteeringConfirmation {
  readonly cardId: string
  /** Epoch ms UTC. */
  readonly now: number
}

/** The mail that every paid volunteering card sends, once. */
export async function queueVolunteeringConfirmation(
  trx: Writer,
  { orderId, ...told }: VolunteeringConfirmation & { readonly orderId: string },
): Promise<void> {
  await enqueue(trx, confirmationJob(`volunteering:${orderId}`, told))
}

/** A further one, for the operator; `count` is how many there were. */
export async function queueVolunteeringConfirmationAgain(
  trx: Writer,
  { count, ...told }: VolunteeringConfirmation & { readonly count: number },
): Promise<void> {
  await enqueue(trx, confirmationJob(`volunteering-again:${told.cardId}:${count}`, told))
}

function confirmationJob(dedupeKey: string, { cardId, now }: VolunteeringConfirmation): NewJob {
  const payload: VolunteeringPayload = { cardId }
  return { kind: VOLUNTEERING_CONFIRMATION, dedupeKey, payload, runAt: now, subject: cardId }
}

/** Tells the giver of an answer. `count` is how often the answer has changed. */
export async function queueAnswer(
  trx: Writer,
  told: { readonly cardId: string; readonly answer: Answer; readonly count: number; readonly now: number },
): Promise<void> {
  const { cardId, answer, count, now } = told
  const payload: AnswerPayload = { cardId, answer }
  await enqueue(trx, {
    kind: VOLUNTEERING_ANSWER,
    dedupeKey: `volunteering-answer:${cardId}:${count}`,
    payload,
    runAt: now,
    subject: cardId,
  })
}
