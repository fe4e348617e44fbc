const DAY_MS = 86_400_000
/** Mails of this kind arrive in the morning, not at midnight. */
const MORNING_MS = 9 * 3_600_000

/**
 * How many days before a card's last day its buyer is reminded (product.md#a-year-later), the first reminder first.
 * A card that has had its last one is not looked at again: a day that is added nearer to the end needs a step of the
 * database that sets `remind_at` of those cards.
 */
export const REMINDER_DAYS = [30, 7] as const

export type ReminderDays = (typeof REMINDER_DAYS)[number]

/**
 * The morning, in Madrid, of the day so many days before the card's last one. Where the clocks change in between it
 * is an hour earlier or later.
 * @param autoDonateAt the midnight after the last day, epoch ms UTC
 */
function reminderAt(autoDonateAt: number, days: ReminderDays): number {
  return autoDonateAt - (days + 1) * DAY_MS + MORNING_MS
}

/** When a new card's buyer is reminded first. */
export function firstReminderAt(autoDonateAt: number): number {
  return reminderAt(autoDonateAt, REMINDER_DAYS[0])
}

/**
 * What is to be said now, and when to look again. After a long silence only the nearest reminder is said, and none
 * at all once the card's year is over.
 */
export function reminderDue(
  autoDonateAt: number,
  now: number,
): { readonly days: ReminderDays | undefined; readonly next: number | null } {
  const isOver = now >= autoDonateAt
  return {
    days: isOver ? undefined : REMINDER_DAYS.findLast(days => reminderAt(autoDonateAt, days) <= now),
    next: REMINDER_DAYS.map(days => reminderAt(autoDonateAt, days)).find(at => at > now) ?? null,
  }
}
