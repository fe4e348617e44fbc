import { reminderDue } from '#domain/card/reminders.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import { mailedOf, ordersOfMany } from '#server/modules/gifts/of-many.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'

/** The kind of the mail that reminds a buyer of a card that nobody has used. */
const REMINDER = 'reminder'

const BATCH = 20

/**
 * Queues the reminders of a few cards, and notes how many each has had and when it is to be looked at again, in one
 * transaction.
 * @returns `looked` 0 when none is due
 */
export async function remindSome({
  db,
  clock,
}: {
  readonly db: Database
  readonly clock: Clock
}): Promise<{ readonly looked: number; readonly queued: number }> {
  const now = clock()
  return db.transaction(async trx => {
    const due = await trx
      .selectFrom('cards')
      .select([
        'id',
        'order_id',
        'auto_donate_at',
        'remind_at',
        'email',
        'term_months',
        'reminder_days',
        'reminders_sent',
      ])
      .where('status', '=', 'active')
      .where('remind_at', 'is not', null)
      .where('remind_at', '<=', now)
      .orderBy('remind_at')
      .limit(BATCH)
      .execute()
    const many = await ordersOfMany(trx, due)
    let queued = 0
    for (const { auto_donate_at: autoDonateAt, remind_at: remindAt, email, ...kept } of due) {
      const { id } = kept
      const { reminderDays } = termOf(kept)
      const sent = kept.reminders_sent
      const { due: reminder, next } = reminderDue({ autoDonateAt, reminderDays, sent }, now)
      const isSaid = reminder !== undefined && email !== null
      const isOurs = await trx
        .updateTable('cards')
        .set({ remind_at: next, ...(isSaid && { reminders_sent: sent + 1 }) })
        .where('id', '=', id)
        .where('status', '=', 'active')
        .where('remind_at', '=', remindAt)
        .where('reminders_sent', '=', sent)
        .returning('id')
        .executeTakeFirst()
      if (!isOurs || !isSaid) continue
      const dedupeKey = `${REMINDER}:${reminder.days}:${mailedOf(kept, many)}`
      const payload = { cardId: id, which: reminder.which, days: reminder.days }
      if (await queueMail(trx, { kind: REMINDER, dedupeKey, payload, runAt: now, subject: id })) queued++
    }
    return { looked: due.length, queued }
  })
}
