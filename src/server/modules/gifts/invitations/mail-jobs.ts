import type { Answer } from '#domain/volunteering/answer.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { enqueue } from '#server/platform/outbox/enqueue.ts'

export const VOLUNTEERING_ANSWER = 'volunteering-answer'

/** What the job holds: the address is looked up when the mail is sent. */
export interface AnswerPayload {
  readonly cardId: string
  readonly answer: Answer
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
