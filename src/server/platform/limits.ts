export interface RateLimits {
  /**
   * Counts one use, or as many as what is asked for costs; throws Problem too-many-requests (with retryAfterSeconds)
   * when so many are not left of the limit named, and then counts none.
   */
  use(limit: LimitName, who: string, cost?: number): void
  /** Throws as `use` would, and counts nothing. */
  check(limit: LimitName, who: string): void
}

export type LimitName =
  | 'gateway'
  | 'success'
  | 'send-email'
  | 'card-read'
  | 'card-miss'
  | 'redeem'
  | 'print'
  | 'lost-link'
  | 'withdrawal'
  | 'certificate'
  | 'received'
  | 'public-read'
  | 'operator-login'
  | 'operator-call'
  | 'free-claim'
  | 'newsletter'
  | 'analytics-session'
  | 'analytics-event'
