import PQueue from 'p-queue'
import { maskedData } from '#domain/analytics/masked.ts'
import { TIMINGS } from '#domain/timings.ts'
import type { SentEvent, SessionAnswer } from '#wire/analytics-client.ts'

/** Retries of a session that could not be opened, each after twice the wait of the one before (product.md#privacy). */
export const SESSION_RETRIES = 4
/** Events that may wait; more are dropped, since nobody misses them. */
export const MOST_WAITING = 50
/** So many calls of a tab are followed by a word on the time they took (product.md#waits-and-motion). */
export const CALLS_PER_TIMING = 20

export interface TrackerNeeds {
  readonly isAnonymous: boolean
  readonly open: () => Promise<SessionAnswer | undefined>
  readonly save: (event: SentEvent) => Promise<boolean>
  /** The page's route, with the language before it. */
  readonly currentUrl: () => string
  /** ms since the page began. */
  readonly now: () => number
  /** How many calls this tab has made, kept from page to page. */
  readonly calls: { get(): number | undefined; set(calls: number): void }
  readonly wait: (ms: number) => Promise<unknown>
  readonly log: (message: string) => unknown
}

export interface Tracker {
  /**
   * Tells of an event, in its own time. Never throws, and nobody waits for it.
   * @param goesOut hears when it is sent, and whether it was taken; never, when the page is left before its turn
   */
  track(
    name: string,
    metadata?: Readonly<Record<string, unknown>>,
    goesOut?: (saved: Promise<boolean>) => void,
  ): void
  /** The visitor has changed their mind: nothing more is sent. */
  stop(): void
}

/** Sends events one after the other within each label (the event's name), once there is a session to tell them in. */
export function createTracker(needs: TrackerNeeds): Tracker {
  const { isAnonymous, open, save, currentUrl, now, calls, wait, log } = needs
  const queues = new Map<string, PQueue>()
  let session: Promise<string | undefined> | undefined
  let waiting = 0
  let isStopped = false

  const openWithRetries = async (): Promise<string | undefined> => {
    for (let retry = 0; !isStopped; retry++) {
      const answer = await open()
      // Without an id the server does not want to know: the browser asked not to be measured.
      if (answer) return answer.sessionId || undefined
      if (retry === SESSION_RETRIES) return undefined
      await wait(TIMINGS.sessionRetryBase * 2 ** retry)
    }
    return undefined
  }

  const send = async (
    event: Omit<SentEvent, 'sessionId'>,
    goesOut?: (saved: Promise<boolean>) => void,
  ): Promise<void> => {
    session ??= openWithRetries()
    const sessionId = await session
    if (isStopped) return
    const saved = sessionId !== undefined && save({ ...event, sessionId })
    if (saved) goesOut?.(saved)
    if (!(await saved)) log('Unable to save event')
  }

  const track: Tracker['track'] = (name, metadata = {}, goesOut = undefined) => {
    if (isStopped || waiting >= MOST_WAITING) return
    const queue = queues.get(name) ?? new PQueue({ concurrency: 1 })
    queues.set(name, queue)
    waiting++
    // Where it happened, not where the visitor is when its turn comes.
    const event = { name, currentUrl: currentUrl(), metadata: clean(metadata), isAnonymous }
    queue
      .add(() => send(event, goesOut))
      .catch(() => log('Unable to save event'))
      .finally(() => waiting--)
    const made = (calls.get() ?? 0) + 1
    calls.set(made)
    if (made % CALLS_PER_TIMING === 0) track('timing', { calls: made, at: Math.round(now()) })
  }

  return {
    track,
    stop() {
      isStopped = true
      for (const queue of queues.values()) queue.clear()
    },
  }
}

/** Keys and addresses never leave the page, wherever they stood. */
function clean(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return maskedData(metadata) as Record<string, unknown>
}
