import {
  amissInLastDayWords,
  areCertificateWords,
  areReminderDays,
  EARLIEST_REMINDER_DAYS,
  isIdentityAmount,
  isMostOwn,
  isTaxShare,
  isTermMonths,
  isVatRate,
  LONGEST_TERM_MONTHS,
  MOST_REMINDERS,
  type Receipts,
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

export const taxShareVerdict = (percent: number): Verdict =>
  isTaxShare(percent) || 'Whole percent from 0 to 100.'

export const vatRateVerdict = (percent: number): Verdict =>
  isVatRate(percent) || 'Percent from 0 to 50, with two decimals at most.'

/** @param words what the certificates say of the operator's right to give them */
export const certificateWordsVerdict = (
  words: Parameters<typeof areCertificateWords>[0],
  receipts: Receipts | undefined,
): Verdict =>
  receipts !== 'own' ||
  areCertificateWords(words) ||
  'Write it in each language, in at most 600 characters: without it the tax office takes no certificate.'

export const identityFromVerdict = (units: number): Verdict =>
  isIdentityAmount(units) || 'A whole amount of at least 1, or nothing.'

export const mostOwnVerdict = (units: number): Verdict =>
  isMostOwn(units) || 'A whole amount from 1 to 100,000; 0 offers none.'
