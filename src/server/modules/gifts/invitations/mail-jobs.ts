import type { Answer } from '#domain/volunteering/answer.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import type { Writer } from '#server/platform/db/database.ts'

export const VOLUNTEERING_ANSWER = 'volunteering-answer'

/** Tells the giver of an answer. `count` is how often the answer has changed. */
export async function queueAnswer(
  trx: Writer,
  told: { readonly cardId: string; readonly answer: Answer; readonly count: number; readonly now: number },
): Promise<void> {
  const { cardId, answer, count, now } = told
  await queueMail(trx, {
    kind: VOLUNTEERING_ANSWER,
    dedupeKey: `volunteering-answer:${cardId}:${count}`,
    payload: { cardId, answer },
    runAt: now,
    subject: cardId,
  })
}
