import type { Cause } from './leaf.ts'

/** The causes of the books that are called alike in the public ledger, or by another word. */
const CAUSE_OF: Readonly<Record<string, Cause>> = {
  sale: 'sale',
  'free-claim': 'claim',
  invoice: 'transfer',
  recipient: 'given',
  'auto-donation': 'auto',
  payout: 'payout',
  'payout-paid': 'paid',
  // The same lines turned round.
  'payout-cancelled': 'payout',
  'payout-unpaid': 'paid',
}

/**
 * What a set of the books is called in the public ledger.
 * @param cause as the books have it
 * @param accounts that it touches
 * @throws Error for a cause that nobody has decided about: it is not published by mistake, nor left out
 */
export function publicCauseOf(cause: string, accounts: readonly string[]): Cause {
  if (cause === 'reversal') return accounts.includes('losses') ? 'loss' : 'refund'
  if (cause === 'movement') return accounts.includes('bank') ? 'bank' : 'fee'
  const known = Object.hasOwn(CAUSE_OF, cause) ? CAUSE_OF[cause] : undefined
  if (known === undefined) throw new Error(`The public ledger knows no "${cause}".`)
  return known
}

/** How an entry comes into the log. */
export type Publication =
  /** On the next day, alone or in the sum of its day. */
  | 'by-day'
  /** With other cards alone. */
  | 'in-batch'
  /** Once the cards that it pays out are in leaves. */
  | 'after-batch'
  | 'alone'

/** Each cause has a line: a new one does not compile without a decision. */
export const PUBLICATION: Readonly<Record<Cause, Publication>> = {
  sale: 'by-day',
  claim: 'by-day',
  refund: 'by-day',
  loss: 'by-day',
  fee: 'by-day',
  // It hides among those of its day, where there are others.
  transfer: 'by-day',
  given: 'in-batch',
  announced: 'alone',
  auto: 'alone',
  payout: 'after-batch',
  paid: 'after-batch',
  received: 'alone',
  bank: 'alone',
  note: 'alone',
}
