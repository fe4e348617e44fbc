import { LRUCache } from 'lru-cache'
import { isProblem } from '#domain/problems.ts'
import type { Clock } from '#server/platform/clock.ts'

/**
 * Runs a question about a session, or gives the answer to the one that was asked a moment ago, on its way or there.
 * @param digest of the session's id
 */
export type OncePerSession = <T>(digest: string, ask: () => Promise<T>) => Promise<T>

/**
 * A page asks again after two seconds at the soonest (`screens/shared/payment/asking.ts`). Counted from when the question
 * was asked, so that nobody who comes then gets the answer that they had before.
 */
export const SHARED_MS = 2_000
/** The provider answers a few dozen in that time. */
const MOST_KEPT = 1_000

interface Asked {
  readonly at: number
  readonly answer: Promise<unknown>
}

/**
 * Has the provider asked about each session once in two seconds by this process, whoever names it and however often:
 * whoever opens a payment knows its session, and could take every turn at the provider by it. That a session is paid
 * stands in the database from then on, and any other failure is asked about anew.
 */
export function createOncePerSession(clock: Clock, mostKept = MOST_KEPT): OncePerSession {
  const lately = new LRUCache<string, Asked>({ max: mostKept })
  return <T>(digest: string, ask: () => Promise<T>): Promise<T> => {
    const now = clock()
    const known = lately.get(digest)
    // Not one from later than now either: the clock was put back.
    if (known && known.at <= now && now < known.at + SHARED_MS) return known.answer as Promise<T>
    const answer = ask()
    const asked = { at: now, answer }
    lately.set(digest, asked)
    answer.catch(error => {
      const isUnpaid = isProblem(error) && error.code === 'payment-not-completed'
      if (!isUnpaid && lately.get(digest) === asked) lately.delete(digest)
    })
    return answer
  }
}
