import { dayInUtc } from '#domain/days.ts'
import { DAY_MS } from '#domain/durations.ts'
import {
  FURTHEST_AHEAD_MS,
  LATEST_REMINDER_MS,
  REMINDED_AFTER_DAYS,
  reminderInstant,
  type SendingState,
  sendingInstant,
} from '#domain/sending/sending.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import { isStopped } from '#server/modules/gifts/sendings/stops.ts'
import {
  giveBack,
  moveSending,
  type Sending,
  sendingOf,
  stopForGift,
} from '#server/modules/gifts/sendings/stored.ts'
import { isUnopened } from '#server/modules/gifts/sendings/unopened.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'

export interface DueTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
}

/** Where a look goes on. */
export type After = Pick<Sending, 'day' | 'card_id'>

const BATCH = 100

/**
 * Puts the mails of some gifts whose time has come into the outbox, each in a transaction under its card's lock: however
 * many look at once, and wherever one is cut off, it is there once.
 * @returns `after` undefined when these were the last
 */
export function sendSome(
  tools: DueTools,
  after?: After,
): Promise<{ readonly after: After | undefined; readonly queued: number }> {
  // The day has begun somewhere; whether it has in the giver's zone is seen one by one.
  return some(tools, 'planned', dayInUtc(tools.clock() + FURTHEST_AHEAD_MS), after, sendOne)
}

/** The same for the reminders of some gifts that were mailed a month ago; what was used meanwhile is over. */
export function remindSomeRecipients(
  tools: DueTools,
  after?: After,
): Promise<{ readonly after: After | undefined; readonly queued: number }> {
  const before = tools.clock() + FURTHEST_AHEAD_MS - REMINDED_AFTER_DAYS * DAY_MS
  return some(tools, 'sent', dayInUtc(before), after, remindOne)
}

type One = (
  trx: Writer,
  keys: CardKeys,
  cardId: string,
  gift: Sending['gift'],
  now: number,
) => Promise<boolean>

async function some(
  { db, keys, clock }: DueTools,
  state: SendingState,
  lastDay: string,
  after: After | undefined,
  one: One,
): Promise<{ readonly after: After | undefined; readonly queued: number }> {
  const now = clock()
  const { seen, next } = await someInState(db, state, { lastDay, after })
  let queued = 0
  for (const { card_id: cardId, gift, day, zone, sent_at: sentAt } of seen) {
    const at = sentAt === null ? sendingInstant({ day, zone }) : reminderInstant(sentAt, zone)
    if (at <= now && (await db.transaction(trx => one(trx, keys, cardId, gift, now)))) queued++
  }
  return { after: next, queued }
}

/**
 * Reads some sendings in a state, by their days, each as it is now: whoever changes one reads it again under its card's lock.
 * @param lastDay none of a later day, `YYYY-MM-DD`; undefined: of any
 * @returns `next` undefined when these were the last
 */
export async function someInState(
  db: Database,
  state: SendingState,
  { lastDay, after }: { readonly lastDay?: string; readonly after: After | undefined },
) {
  const seen = await db.read(reader =>
    reader
      .selectFrom('sendings')
      .select(['card_id', 'gift', 'day', 'zone', 'sent_at'])
      .where('state', '=', state)
      .$if(lastDay !== undefined, asked => asked.where('day', '<=', lastDay!))
      .$if(after !== undefined, asked =>
        asked.where(eb => eb(eb.refTuple('day', 'card_id'), '>', eb.tuple(after!.day, after!.card_id))),
      )
      .orderBy('day')
      .orderBy('card_id')
      .limit(BATCH)
      .execute(),
  )
  return { seen, next: seen.length < BATCH ? undefined : seen.at(-1) }
}

/** @returns whether its mail is in the outbox now */
async function sendOne(
  trx: Writer,
  keys: CardKeys,
  cardId: string,
  gift: Sending['gift'],
  now: number,
): Promise<boolean> {
  const card = await lockCard(trx, gift, cardId)
  const sending = await sendingOf(trx, cardId)
  // Its giver has changed it since it was seen, or another process was here.
  if (sending?.state !== 'planned' || sendingInstant(sending) > now) return false
  if (card?.status !== 'active') {
    await stopForGift(trx, card?.status, sending, now)
    return false
  }
  if (await isStopped(trx, sending.address_digest)) {
    await giveBack(trx, keys, sending, { why: 'unwanted', mayBeThere: false, now })
    return false
  }
  if (!(await moveSending(trx, sending, 'send', { changed_at: now }))) return false
  return queueMail(trx, {
    kind: 'sending',
    // Another address, after one that could not be reached, is another mail.
    dedupeKey: `sending:${cardId}:${sending.changes_left}`,
    payload: { cardId, gift, which: 'first' },
    runAt: now,
    subject: cardId,
  })
}

/** @returns whether its mail is in the outbox now */
async function remindOne(
  trx: Writer,
  _keys: CardKeys,
  cardId: string,
  gift: Sending['gift'],
  now: number,
): Promise<boolean> {
  const card = await lockCard(trx, gift, cardId)
  const sending = await sendingOf(trx, cardId)
  if (sending?.state !== 'sent' || sending.sent_at === null) return false
  const isLate = now - sending.sent_at > LATEST_REMINDER_MS
  if (isLate || (await isStopped(trx, sending.address_digest)) || !(await isUnopened(trx, card))) {
    await moveSending(trx, sending, 'stop', { changed_at: now })
    return false
  }
  if (!(await moveSending(trx, sending, 'remind', { changed_at: now }))) return false
  return queueMail(trx, {
    kind: 'sending',
    dedupeKey: `sending-reminder:${cardId}`,
    payload: { cardId, gift, which: 'reminder' },
    runAt: now,
    subject: cardId,
  })
}
