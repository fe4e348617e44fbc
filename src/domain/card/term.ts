import { dayInMadrid } from '../days.ts'
import { midnightInMadrid, timeInMadrid } from '../madrid.ts'

/** For how long a card waits to be used, and when its buyer is reminded (product.md#the-term). */
export interface CardTerm {
  /** Calendar months from the purchase to the day on which an unused card is given away. */
  readonly months: number
  /** How many days before a card's last day its buyer is reminded, the earliest reminder first. */
  readonly reminderDays: readonly number[]
}

/** No operator can make the term shorter: buyers were told a year from the first card on. */
export const SHORTEST_TERM_MONTHS = 12
export const LONGEST_TERM_MONTHS = 120

/** Where the operator says nothing else. */
export const DEFAULT_TERM: CardTerm = { months: SHORTEST_TERM_MONTHS, reminderDays: [30, 7] }

export const MOST_REMINDERS = 4
/** A reminder in the first days of a card would be about a gift that was bought for a birthday to come. */
export const EARLIEST_REMINDER_DAYS = 180

/** May an operator set this many months? */
export const isTermMonths = (months: number): boolean =>
  Number.isInteger(months) && months >= SHORTEST_TERM_MONTHS && months <= LONGEST_TERM_MONTHS

/** May an operator set these days, in any order? At least one, none twice, and in time for the mail to be read. */
export const areReminderDays = (days: readonly number[]): boolean =>
  days.length >= 1 &&
  days.length <= MOST_REMINDERS &&
  new Set(days).size === days.length &&
  days.every(each => Number.isInteger(each) && each >= 2 && each <= EARLIEST_REMINDER_DAYS)

/** The last day of a card, in Madrid, `YYYY-MM-DD`. */
export function lastDayOfCard({ autoDonateAt: end }: { readonly autoDonateAt: number }): string {
  return dayInMadrid(end - 1)
}

/**
 * When a card that nobody used is given away: the end of the day, in Madrid, so many months after its creation (the last
 * day of a month that has no such day: 29 February → 28), which is the first instant of the day after.
 * @param createdAt epoch ms UTC
 * @returns epoch ms UTC
 */
export function autoDonateAt(createdAt: number, months: number = DEFAULT_TERM.months): number {
  const born = new Date(timeInMadrid(createdAt))
  const year = born.getUTCFullYear()
  const month = born.getUTCMonth() + months
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Math.min(born.getUTCDate(), lastOfMonth)
  return midnightInMadrid(Date.UTC(year, month, day + 1))
}
