import type { LimitName, SharedLimitName } from '#domain/limits/limits.ts'

export type { LimitName, OwnLimitName, SharedLimitName } from '#domain/limits/limits.ts'

export interface RateLimits {
  /**
   * Counts one use of a visitor's own limit, or as many as what is asked for costs; throws Problem too-many-requests
   * (with retryAfterSeconds) when so many are not left, and then counts none.
   */
  use(limit: LimitName, who: string, cost?: number): void
  /**
   * Counts wrong guesses: what `isRight` finds, and one use where that is undefined. A guess that is not answered yet
   * counts as a wrong one, so that many at once are no more than one after the other. Rejects as `use` throws, before it
   * looks.
   */
  guess<T>(
    limit: LimitName,
    who: string,
    isRight: () => T | undefined | Promise<T | undefined>,
  ): Promise<T | undefined>
  /** How much of a visitor's own limit is left: 1 for all of it, 0 for nothing. */
  left(limit: LimitName, who: string): number
  /**
   * Waits until this visitor's turn comes in what all visitors share, after `use`. Rejects with Problem
   * temporarily-unavailable (with retryAfterSeconds) where it does not come in time.
   */
  turn(limit: SharedLimitName, who: string): Promise<void>
}
