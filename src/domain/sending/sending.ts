import { dayInUtc, daysAfter, isDay } from '../days.ts'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { instantIn, timeIn } from '../zones.ts'

/**
 * A gift whose link the site mails to its recipient on a day, because its giver asked for it (product.md#send-it-for-me).
 * One mail, and one reminder while the gift is not used.
 */
export type SendingState = 'planned' | 'sending' | 'sent' | 'reminding' | 'over' | 'stopped' | 'returned'

/** What happens to a sending, and what each state becomes by it. In a state that is missing it does not happen. */
export const SENDING_MOVES = {
  /** The giver says where it goes and when, for the first time or anew. */
  plan: { planned: 'planned', stopped: 'planned', returned: 'planned' },
  /** The giver sends it themselves, the gift is used or taken back, or somebody is forgotten. */
  stop: { planned: 'stopped', sending: 'stopped', sent: 'over', reminding: 'over' },
  /** Its time has come: the mail is in the outbox. */
  send: { planned: 'sending' },
  /** The mail server has taken the mail. */
  'hand-over': { sending: 'sent', reminding: 'over' },
  /** The mail reaches nobody, or its reader wants none: the link is the giver's again. */
  return: {
    planned: 'returned',
    sending: 'returned',
    sent: 'returned',
    reminding: 'returned',
    over: 'returned',
  },
  remind: { sent: 'reminding' },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<SendingState, SendingState>>>>>

export type SendingMove = keyof typeof SENDING_MOVES

/** What a sending becomes; undefined where this does not happen to it. */
export const movedBy = (move: SendingMove, state: SendingState): SendingState | undefined =>
  (SENDING_MOVES[move] as Readonly<Partial<Record<SendingState, SendingState>>>)[state]

/** Why a sending was stopped or came back. */
export type SendingEnd = 'giver' | 'gift' | 'forgotten' | 'refused' | 'unwanted'

/** When it goes: 09:00 of a day in the giver's zone. The instant is computed when it is asked for, as clocks are set then. */
export interface SendingTime {
  /** `YYYY-MM-DD`. */
  readonly day: string
  /** Of the IANA: `Europe/Madrid`. */
  readonly zone: string
}

/** The hour of the day at which mails go, on the giver's clock. No zone changes its clocks near it. */
export const SENDING_HOUR = 9
/** How far ahead a day can be. */
export const LATEST_SENDING_DAYS = 365
/** So many days before a gift is given away it is mailed at the latest: whoever gets it has a month to use it. */
export const LEFT_TO_USE_DAYS = 30
/** How often a giver can change what they asked for. */
export const SENDING_CHANGES = 3
/** The recipient is reminded so many days after the mail, once. */
export const REMINDED_AFTER_DAYS = 30
/** The address is kept so long after the mail. */
export const ADDRESS_KEPT_MS = 30 * DAY_MS
/** A reminder that could not be sent for so long is not sent any more. */
export const LATEST_REMINDER_MS = (REMINDED_AFTER_DAYS + 7) * DAY_MS
/** A mail that its server refuses for the moment is tried for so long: its day is over by then. */
export const TRIED_FOR_MS = 2 * DAY_MS
/** No clock is further ahead of UTC: a day begins somewhere this long before it begins in UTC. */
export const FURTHEST_AHEAD_MS = 14 * HOUR_MS

/** The day of an instant in a zone, `YYYY-MM-DD`. @param instant epoch ms UTC */
export const dayIn = (zone: string, instant: number): string => dayInUtc(timeIn(zone, instant))

/** When a mail goes, epoch ms UTC. */
export const sendingInstant = ({ day, zone }: SendingTime): number =>
  instantIn(zone, Date.parse(`${day}T00:00:00Z`) + SENDING_HOUR * HOUR_MS)

/** When its recipient is reminded: on the same clock, so many days after the day on which the mail went. */
export const reminderInstant = (sentAt: number, zone: string): number =>
  sendingInstant({ day: daysAfter(dayIn(zone, sentAt), REMINDED_AFTER_DAYS), zone })

/**
 * The first and the last day that a giver can choose now. On the first one the mail goes at once where it is past nine. In the
 * last month of a gift the first is the last: now or never.
 * @param lastDay of the gift, in Madrid; undefined where it is never given away
 */
export function sendingDays(
  zone: string,
  now: number,
  lastDay: string | undefined,
): { readonly first: string; readonly last: string } {
  const first = dayIn(zone, now)
  const inAYear = daysAfter(first, LATEST_SENDING_DAYS)
  if (lastDay === undefined) return { first, last: inAYear }
  const inTime = daysAfter(lastDay, -LEFT_TO_USE_DAYS)
  // Nine o'clock of a day has come everywhere before that day is over in Madrid.
  if (inTime < first) return { first, last: first < lastDay ? first : lastDay }
  const [last = inTime] = [inTime, inAYear].toSorted()
  return { first, last }
}

/** Can a giver choose this day now? @param lastDay of the gift, as for `sendingDays` */
export function isSendingDay({ day, zone }: SendingTime, now: number, lastDay: string | undefined): boolean {
  const { first, last } = sendingDays(zone, now, lastDay)
  return isDay(day) && day >= first && day <= last
}

/** What is known of a sending when its giver comes. */
export interface SendingFacts {
  readonly state: SendingState
  readonly why: SendingEnd | null
  readonly changesLeft: number
  /** When the mail server took the mail; null before. */
  readonly sentAt: number | null
}

/**
 * How many changes are left once the giver has said anew where it goes and when. What a hold kept from going on its day is
 * no change of theirs.
 */
export const leftAfterPlan = ({ state, why, changesLeft }: Omit<SendingFacts, 'sentAt'>): number =>
  state === 'stopped' && why === 'gift' ? changesLeft : changesLeft - 1

/**
 * May the giver say, or say anew, where the gift goes and when? Not once a mail was handed over: there is one.
 * @param sending undefined where nothing was asked for yet
 */
export function mayPlan(sending: SendingFacts | undefined): boolean {
  if (sending === undefined) return true
  return (
    movedBy('plan', sending.state) !== undefined && sending.sentAt === null && leftAfterPlan(sending) >= 0
  )
}
