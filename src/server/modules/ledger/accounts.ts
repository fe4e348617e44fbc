import { NGO_ACCOUNT } from '#domain/public-ledger/leaf.ts'

/**
 * The accounts of the books (ARCHITECTURE.md#invariants). Money comes from `payments` or `campaign` and goes to the others.
 * What we have, and what we spent, is negative: at the provider are −(`payments` + `refunds`), at the bank −(`bank` + `payouts`).
 */
export const ACCOUNTS = [
  /**
   * What buyers paid, less what the provider kept, converted or paid out. It is negative, since the money comes from
   * here.
   */
  'payments',
  /** What free campaigns paid in; negative like `payments`. */
  'campaign',
  /** Owed to organisations, not yet chosen which. */
  'cards',
  /** On its way to an organisation: in a payout that the bank has not paid yet. */
  'payouts-open',
  /** Paid to organisations; it left the bank. */
  'payouts',
  /** The product's share, without its tax. */
  'support',
  'tax',
  'volunteering',
  'refunds',
  'losses',
  /** Fees of the payment provider that the support pays; negative. */
  'fees',
  /** What the provider paid out to the bank; negative. What organisations got from the bank is in `payouts`. */
  'bank',
  /** The operator's own money: the fees that no support bears, and what moved at the provider for no order. */
  'operator',
  /** Where a payment that the provider converted leaves one currency and comes into the other. */
  'exchange',
] as const

/** `ngo:{id}` is what one organisation has been given and is in no payout yet. */
export type Account = (typeof ACCOUNTS)[number] | `ngo:${string}`

/** The account of what an organisation was given and is not in a payout. */
export function ngoAccount(ngoId: string): Account {
  return `${NGO_ACCOUNT}${ngoId}`
}
