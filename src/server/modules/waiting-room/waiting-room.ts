import { setTimeout as wait } from 'node:timers/promises'
import { laneOf } from '#domain/limits/line.ts'
import { askAgainAfter } from '#domain/limits/waiting-room.ts'
import { Problem } from '#domain/problems.ts'
import { keyFor } from '#server/modules/operator/signed.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { WaitingRoom } from './interface.ts'
import { placeCookies } from './place-cookie.ts'
import { createSharedRoom, type SharedRoomOptions } from './shared-room.ts'

export interface WaitingRoomOptions extends SharedRoomOptions {
  /** The server's. The signature of places has a key of its own, made from it. */
  readonly secret: string
  /** Is the site on https? */
  readonly secure: boolean
  readonly monotonic: MonotonicClock
  readonly log: Log
  /** Has this press been let in before? Its answer may have been lost. */
  readonly wasLetIn: (attemptKey: string) => Promise<boolean>
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** Whose turn comes so soon waits for it within the request, and sees no line. */
const WITHIN_REQUEST_MS = 2_000
/** No request waits for longer. */
const LONGEST_IN_REQUEST_MS = 4_000
/** When to come again where the line is as long as it may be. */
const FULL_SECONDS = 600
const ALARM_EVERY_MS = 10 * 60_000

/** Makes the waiting room of something that all visitors together do at most so many times a second. */
export function createWaitingRoom(options: WaitingRoomOptions): WaitingRoom {
  const { secret, secure, monotonic, log, name, wasLetIn, sleep = wait } = options
  const room = createSharedRoom(options)
  const cookies = placeCookies(keyFor(secret, `places in the waiting room ${name}`), secure)
  let toldAt = Number.NEGATIVE_INFINITY

  function tellOfRush(): void {
    if (monotonic() - toldAt < ALARM_EVERY_MS) return
    toldAt = monotonic()
    const what = new Error(`the limit ${name} of all visitors together is spent`)
    log.error('limit-of-all-visitors-spent', what, { limit: name })
  }

  return {
    holdsPlace: ({ headers, attemptKey }) => cookies.read(headers, attemptKey ?? '') !== undefined,
    async enter({ headers, attemptKey, begunBy = attemptKey, left }) {
      if (begunBy !== undefined && (await wasLetIn(begunBy))) return { kind: 'in' }
      const press = attemptKey ?? ''
      const held = cookies.read(headers, press)
      const until = monotonic() + LONGEST_IN_REQUEST_MS
      let wasOver = false
      for (let place = held; ; ) {
        const standing = await room.ask({ place, lane: laneOf(left) })
        if (standing.kind === 'in')
          return { kind: 'in', ...(held !== undefined && { cookie: cookies.clear(press) }) }
        tellOfRush()
        if (standing.kind === 'full') throw new Problem('line-full', { retryAfterSeconds: FULL_SECONDS })
        place = standing.place
        wasOver ||= standing.isOver
        const { ahead, waitMs } = standing
        if (waitMs > WITHIN_REQUEST_MS || monotonic() + waitMs > until)
          return {
            kind: 'waiting',
            ahead,
            waitMs,
            askAgainMs: askAgainAfter(waitMs),
            isOver: wasOver,
            cookie: cookies.set(press, place),
          }
        await sleep(waitMs)
      }
    },
  }
}

/** A room that lets everybody in, where limits are off. */
export const noWaitingRoom = (): WaitingRoom => ({
  holdsPlace: () => false,
  enter: async () => ({ kind: 'in' }),
})
