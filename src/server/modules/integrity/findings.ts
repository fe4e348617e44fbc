/** Something wrong with the money. */
export interface Finding {
  readonly rule: FindingRule
  /** The id of what is wrong: a card, an order, a set, a currency. */
  readonly subject: string
  /** Minor units where the rule is about an amount, and has a currency; else a number of rows. */
  readonly expected?: number
  readonly found?: number
  readonly currency?: string
}

export type FindingRule =
  | 'set-unbalanced'
  | 'account-unknown'
  | 'card-not-paid'
  | 'order-without-card'
  | 'order-without-page'
  | 'row-without-card'
  | 'order-books-differ'
  | 'card-books-differ'
  | 'redemption-differs'
  | 'allocations-differ'
  | 'organisation-books-differ'
  | 'campaign-count-differs'
  | 'payout-differs'
  | 'payout-books-differ'
  | 'totals-differ'
  | 'entry-unknown'
  | 'reversal-books-differ'
  | 'claim-missing'
  | 'draw-differs'
  | 'request-differs'
  | 'order-seal-broken'
  | 'card-seal-broken'
  | 'card-keys-differ'
  | 'check-word-differs'
  | 'auto-donation-day-differs'
  | 'redemption-seal-broken'
  | 'invitation-seal-broken'
  | 'reversal-seal-broken'
  | 'withdrawal-seal-broken'
  | 'invoice-seal-broken'
  | 'invoice-differs'
  | 'invoice-gap'
  | 'withdrawal-differs'
  | 'hold-differs'
  | 'movement-seal-broken'
  | 'payee-seal-broken'
  | 'movement-books-differ'
  | 'movement-missing'
  | 'movement-differs'
  | 'movement-late'
  | 'fee-borne-differs'
  | 'provider-payout-differs'
  | 'public-entry-missing'
  | 'public-entry-differs'
  | 'public-leaf-differs'
  | 'public-head-differs'
  | 'announcement-differs'
  | 'announced-draw-differs'
  | 'guard-differs'
  | 'checkpoint-broken'
  | 'checkpoint-missing'
  | 'receipt-gap'
  | 'receipt-double'
  | 'receipt-missing'
  | 'receipt-differs'
  | 'certificate-gap'
  | 'certificate-differs'
  | 'rows-missing'
  | 'number-amiss'
  | 'rule-unfinished'

/** A broken database shows its first hundred faults of a kind; the rest says nothing more. */
export const MOST = 100
