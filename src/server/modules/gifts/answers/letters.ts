import { letterDueAt } from '#domain/answer/answer.ts'
import { DAY_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import type { Answer } from '#domain/volunteering/answer.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { engineOf, sharedTime } from '#server/platform/db/database-time.ts'
import type { LetterStopsTable } from '#server/platform/db/schema.ts'
import { isFree } from '#server/platform/outbox/claim.ts'

const GIFT_USED = 'gift-used'
const GIFT_ANSWER = 'gift-answer'
const INVITATION_ANSWER = 'volunteering-answer'

/** How many letters a giver gets at most about one invitation. Everybody with its link can cause one. */
const MAILS_PER_DAY = 5

/** Each card has at most one letter of each kind. */
const keyOf = (kind: typeof GIFT_USED | typeof GIFT_ANSWER, cardId: string): string => `${kind}:${cardId}`

/**
 * Queues the letter that tells a giver that the card was used, for a day later, in the transaction that uses it. Whether
 * it is wanted is asked when it goes out.
 */
export async function queueUsedLetter(trx: Writer, cardId: string, usedAt: number): Promise<void> {
  await queueMail(trx, {
    kind: GIFT_USED,
    dedupeKey: keyOf(GIFT_USED, cardId),
    payload: { cardId },
    runAt: letterDueAt(usedAt),
    queuedAt: usedAt,
    subject: cardId,
  })
}

/**
 * Brings the letter about the use forward to now, since it has an answer to tell.
 * @returns false where it has gone, or is being sent at this moment without the answer
 */
export async function sendUsedLetterNow(trx: Writer, cardId: string, now: number): Promise<boolean> {
  const dedupeKey = keyOf(GIFT_USED, cardId)
  const waiting = await trx
    .updateTable('jobs')
    .set({ run_at: now })
    .where('dedupe_key', '=', dedupeKey)
    .where('done_at', 'is', null)
    .where('attempts', '=', 0)
    .where(eb => isFree(eb, sharedTime(engineOf(trx), now)))
    .returning('id')
    .executeTakeFirst()
  if (waiting) return true
  // A card that was used before there were such letters has none that waits.
  return queueMail(trx, { kind: GIFT_USED, dedupeKey, payload: { cardId }, runAt: now, subject: cardId })
}

/** Queues the second letter, which tells an answer that came after the first. */
export async function queueAnswerLetter(trx: Writer, cardId: string, now: number): Promise<void> {
  const dedupeKey = keyOf(GIFT_ANSWER, cardId)
  await queueMail(trx, { kind: GIFT_ANSWER, dedupeKey, payload: { cardId }, runAt: now, subject: cardId })
}

/** Tells a giver what the person invited has answered. `count` is how often the answer has changed. */
export async function queueInvitationAnswer(
  trx: Writer,
  told: { readonly cardId: string; readonly answer: Answer; readonly count: number; readonly now: number },
): Promise<void> {
  const { cardId, answer, count, now } = told
  await queueMail(trx, {
    kind: INVITATION_ANSWER,
    dedupeKey: `${INVITATION_ANSWER}:${cardId}:${count}`,
    payload: { cardId, answer },
    runAt: now,
    subject: cardId,
  })
}

/**
 * An invitation's answer can be changed, and told again.
 * @throws Problem too-many-requests after five mails in 24 hours that were not refused, with the time until the next
 */
export async function checkInvitationAnswers(trx: Writer, cardId: string, now: number): Promise<void> {
  const mails = await trx
    .selectFrom('jobs')
    .select('created_at')
    .where('subject', '=', cardId)
    .where('kind', '=', INVITATION_ANSWER)
    .where('created_at', '>', now - DAY_MS)
    .where(eb => eb.or([eb('done_at', 'is', null), eb('failed_reason', 'is', null)]))
    .orderBy('created_at')
    .execute()
  const [oldest] = mails
  if (oldest && mails.length >= MAILS_PER_DAY) {
    throw new Problem('too-many-requests', {
      retryAfterSeconds: Math.ceil((oldest.created_at + DAY_MS - now) / 1000),
    })
  }
}

/** Which letters of a card were stopped, and by whom. */
export interface Stops {
  /** The giver wants none. */
  readonly byGiver: boolean
  /** The operator lets no answer through. */
  readonly byOperator: boolean
}

/** Who has stopped the letters of a card of any kind. */
export async function stopsOf(db: Reader, cardId: string): Promise<Stops> {
  const rows = await db
    .selectFrom('letter_stops')
    .select('stopped_by')
    .where('card_id', '=', cardId)
    .execute()
  const stopped = (by: LetterStopsTable['stopped_by']) => rows.some(({ stopped_by }) => stopped_by === by)
  return { byGiver: stopped('giver'), byOperator: stopped('operator') }
}

/** Notes that somebody stops the letters of a card. @returns false where they had done so before */
export async function stopLetters(
  trx: Writer,
  cardId: string,
  by: LetterStopsTable['stopped_by'],
  now: number,
): Promise<boolean> {
  const added = await trx
    .insertInto('letter_stops')
    .values({ card_id: cardId, stopped_by: by, created_at: now })
    .onConflict(conflict => conflict.columns(['card_id', 'stopped_by']).doNothing())
    .returning('card_id')
    .executeTakeFirst()
  return added !== undefined
}
