import { DAY_MS } from '../durations.ts'

/** Mails of this kind arrive in the morning, not at midnight. */
const MORNING_MS = 9 * 3_600_000

/** Which reminder of a card this is, since they say different things. A card's only reminder is its last one. */
export const REMINDERS = ['first', 'second', 'last'] as const

export type Reminder = (typeof REMINDERS)[number]

/** What decides when a card's buyer is reminded. */
export interface RemindedCard {
  /** The midnight after its last day, epoch ms UTC. */
  readonly autoDonateAt: number
  /** The days that it was made with, the first reminder first. */
  readonly reminderDays: readonly number[]
  /** How many reminders went out already. */
  readonly sent: number
}

/**
 * The morning, in Madrid, of the day so many days before the card's last one. Where the clocks change in between it
 * is an hour earlier or later.
 */
function reminderAt(autoDonateAt: number, days: number): number {
  return autoDonateAt - (days + 1) * DAY_MS + MORNING_MS
}

/** When a new card's buyer is reminded first; null where nobody is reminded. */
export function firstReminderAt({
  autoDonateAt,
  reminderDays,
}: Pick<RemindedCard, 'autoDonateAt' | 'reminderDays'>): number | null {
  const [first] = reminderDays
  return first === undefined ? null : reminderAt(autoDonateAt, first)
}

/**
 * The reminder that is due now, and when to look again. After a long pause only the reminder nearest to the last day
 * is sent. None is sent once the card's term is over.
 */
export function reminderDue(
  { autoDonateAt, reminderDays, sent }: RemindedCard,
  now: number,
): {
  readonly due: { readonly days: number; readonly which: Reminder } | undefined
  readonly next: number | null
} {
  const days =
    now >= autoDonateAt ? undefined : reminderDays.findLast(each => reminderAt(autoDonateAt, each) <= now)
  return {
    due: days === undefined ? undefined : { days, which: whichOf(days, reminderDays, sent) },
    next: reminderDays.map(each => reminderAt(autoDonateAt, each)).find(at => at > now) ?? null,
  }
}

function whichOf(days: number, all: readonly number[], sent: number): Reminder {
  if (days === all.at(-1)) return 'last'
  return sent === 0 ? 'first' : 'second'
}
