/** The accounts of the books (ARCHITECTURE.md#invariants). Money comes from `payments` or `campaign` and goes to the others. */
export const ACCOUNTS = [
  /** What buyers paid; negative, since it is where the money comes from. */
  'payments',
  /** What free campaigns gave; negative like `payments`. */
  'campaign',
  /** Owed to organisations, not yet chosen which. */
  'cards',
  /** On its way to an organisation: in a payout that the bank has not paid yet. */
  'payouts-open',
  /** Paid to organisations. */
  'payouts',
  /** The product's share, without its tax. */
  'support',
  'tax',
  'volunteering',
  'refunds',
  'losses',
] as const

/** `ngo:{id}` is what one organisation has been given and is in no payout yet. */
export type Account = (typeof ACCOUNTS)[number] | `ngo:${string}`

export const NGO_ACCOUNT = 'ngo:'

export function ngoAccount(ngoId: string): Account {
  return `${NGO_ACCOUNT}${ngoId}`
}
