import type { AdvisedPayout } from './advices.ts'

/** What became of a paid payout at its organisation: of the mail, until it has said something. */
export const ADVISED_FATES = [
  'no mail',
  'mail waits',
  'mail sent',
  'mail given up',
  'received',
  'receipt',
] as const

export type AdvisedFate = (typeof ADVISED_FATES)[number]

/** What became of the mail about a payout, in two words. */
export const MAIL_WORDS: Readonly<Record<AdvisedPayout['fate'], AdvisedFate>> = {
  none: 'no mail',
  waiting: 'mail waits',
  sent: 'mail sent',
  'given-up': 'mail given up',
}

/** The fate of a paid payout, in two words. */
export function fateOfAdvised({ fate, receivedAt, receipt }: AdvisedPayout): AdvisedFate {
  if (receivedAt === null) return MAIL_WORDS[fate]
  return receipt === undefined ? 'received' : 'receipt'
}
