import type { ConfirmationRefusal } from './roles.ts'

/** What an operator does about payouts, from the Studio. */
export type PayoutAct =
  /** Puts what was given before an instant into payouts, one for each organisation and currency. */
  | { readonly act: 'run'; readonly run: string; readonly before: number }
  /** The bank has paid it. */
  | { readonly act: 'paid'; readonly payout: string; readonly reference: string }
  /** That the bank has paid it was noted by mistake. */
  | { readonly act: 'unpaid'; readonly payout: string }
  | { readonly act: 'cancel'; readonly payout: string }

/** Why something about payouts was refused. */
export const PAYOUT_REFUSALS = [
  'nothing-owed',
  'restored',
  /** Nobody who is owed has a confirmed account, or nobody there is known to write to. */
  'no-account',
  /** Somebody else has written to an account. */
  'seal',
  /** Somebody else pays the same out in this moment. */
  'meanwhile',
  'no-such-run',
  'no-such-payout',
  /** The bank has paid it: under another reference, where it was to be noted once more. */
  'paid-already',
  'cancelled-already',
  'not-paid',
  /** A statement of the bank has shown that very transfer. */
  'seen-at-bank',
  /** Its organisation says that the money has arrived. */
  'received',
  'never-told',
  /** The account is not the one that is paid to any more. */
  'account-changed',
  /** The payout is not the sum of its gifts: somebody else has written to it. */
  'not-the-sum',
] as const

export type PayoutRefusal = (typeof PAYOUT_REFUSALS)[number]

/** Why the Studio is refused, where the terminal says it by itself. */
export type PayoutActRefusal =
  | PayoutRefusal
  | ConfirmationRefusal
  | 'run-name'
  | 'reference'
  /** The paying account, its owner's name or the day. */
  | 'payer-account'
  | 'payer-name'
  | 'day'
  | 'nothing-to-transfer'
  /** The key of another press. */
  | 'other-press'

/** A run's name, by which the operator finds it again: `2026-11`. */
export const isRunName = (text: string): boolean => /^[\w.-]{1,35}$/.test(text)

/**
 * The name of the next run: the month, with a number where the month has had one already.
 * @param today `2026-11-24`
 */
export function nextRunName(today: string, taken: ReadonlySet<string>): string {
  const month = today.slice(0, 7)
  let name = month
  for (let n = 2; taken.has(name); n++) name = `${month}.${n}`
  return name
}
