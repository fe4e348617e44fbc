import {
  amissInLastDayWords,
  areReminderDays,
  EARLIEST_REMINDER_DAYS,
  isTermMonths,
  LONGEST_TERM_MONTHS,
  MOST_REMINDERS,
  SHORTEST_TERM_MONTHS,
} from '../product.ts'
import type { Verdict } from './texts.ts'

/** How long an unused card waits: never shorter than every buyer so far was told. */
export const monthsVerdict = (months: number): Verdict =>
  isTermMonths(months) ||
  `Whole months from ${SHORTEST_TERM_MONTHS} to ${LONGEST_TERM_MONTHS}: a card never waits less than a year.`

export const reminderDaysVerdict = (days: readonly number[]): Verdict =>
  areReminderDays(days) ||
  `One to ${MOST_REMINDERS} different whole numbers from 2 to ${EARLIEST_REMINDER_DAYS}: how many days before the last one.`

const LAST_DAY_WORDS = {
  'no-date': 'Write {{date}} once, where the day stands.',
  'other-place': 'Only {{date}} is filled in: write every other word as it is to be read.',
  expires: 'Nothing expires: the money is never kept. Say that the card can be given until that day.',
  'too-long': 'At most 140 characters: the sentence also stands on a card of paper.',
}

export function lastDayWordsVerdict(words: string): Verdict {
  const amiss = amissInLastDayWords(words)
  return amiss === undefined || LAST_DAY_WORDS[amiss]
}
