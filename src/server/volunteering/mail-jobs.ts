import type { Answer } from '#domain/volunteering/answer.ts'
import type { Writer } from '#server/db/database.ts'
import { enqueue } from '#server/outbox/enqueue.ts'

export const VOLUNTEERING_CONFIRMATION = 'volunteering-confirmation'
export const VOLUNTEERING_ANSWER = 'volunteering-answer'

/** What the jobs hold: the key is derived and the address is looked up when a mail is sent. */
export interface VolunteeringPayload {
  readonly cardId: string
}

export interface AnswerPayload extends VolunteeringPayload {
  readonly answer: Answer
}

/** The mail that every paid volunteering card sends, once. */
export async function queueVolunteeringConfirmation(
  trx: Writer,
  { orderId, cardId, now }: { readonly orderId: string; readonly cardId: string; readonly now: number },
): Promise<void> {
  const payload: VolunteeringPayload = { cardId }
  await enqueue(trx, {
    kind: VOLUNTEERING_CONFIRMATION,
    dedupeKey: `volunteering:${orderId}`,
    payload,
    runAt: now,
    subject: cardId,
  })
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
