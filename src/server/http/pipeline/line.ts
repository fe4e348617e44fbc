import { setTimeout as wait } from 'node:timers/promises'
import { byTurn, type Waiting } from '#domain/limits/line.ts'
import { Problem } from '#domain/problems.ts'
import type { MonotonicClock } from '#server/platform/clock.ts'
import type { Tokens } from '#server/platform/pace/tokens.ts'

/** Those who wait for a turn in something that all visitors share. */
export interface Line {
  /**
   * Waits for a turn.
   * @param left how much of the visitor's own limit is left, 0 to 1: asked whenever somebody's turn comes, so that whoever
   *   presses on while they wait falls back with all that they have pressed
   * @throws Problem temporarily-unavailable (with retryAfterSeconds) where it does not come in time, or others who have
   *   pressed less fill the line; whatever the database says
   */
  turn(left: () => number): Promise<void>
}

export interface LineParts {
  readonly tokens: Tokens
  /** How many turns there are in a second. */
  readonly perSecond: number
  readonly monotonic: MonotonicClock
  /** Called when somebody has to wait. */
  readonly onSpent?: () => void
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** A browser gives up after 20 s, and the provider may take most of that. */
const PATIENCE_MS = 6_000
/** The most who wait in one process: each holds a connection. */
const MOST = 1_000
/** What a process takes ahead of need lasts this long, and so much of a second's turns. */
const AHEAD_MS = 1_000
const AHEAD_SECONDS = 0.25

interface Place extends Waiting {
  readonly until: number
  readonly go: () => void
  readonly refuse: (error: unknown) => void
}

/** Makes the line of one process. Those of all processes share the tokens. */
export function createLine({ tokens, perSecond, monotonic, onSpent, sleep = wait }: LineParts): Line {
  const places: Place[] = []
  const ahead = Math.max(1, Math.floor(perSecond * AHEAD_SECONDS))
  let spare = { count: 0, until: 0 }
  let isMoving = false

  const tooLong = () =>
    new Problem('temporarily-unavailable', {
      retryAfterSeconds: Math.max(1, Math.ceil(places.length / perSecond)),
    })

  function refuseLate(): void {
    const late = places.filter(({ until }) => until <= monotonic())
    for (const place of late) {
      places.splice(places.indexOf(place), 1)
      place.refuse(tooLong())
    }
  }

  function admitFirst(count: number): void {
    places.sort(byTurn)
    for (const place of places.splice(0, count)) place.go()
  }

  /** Goes on while anybody waits; one at a time, so that few ask the database. */
  async function move(): Promise<void> {
    if (isMoving) return
    isMoving = true
    try {
      while (places.length > 0) {
        const { granted, waitMs } = await tokens.take(Math.max(places.length, ahead))
        refuseLate()
        const over = granted - places.length
        admitFirst(granted)
        if (over > 0) spare = { count: over, until: monotonic() + AHEAD_MS }
        if (granted === 0 && places.length > 0) {
          onSpent?.()
          // Not beyond the patience of whoever came first, who is told in time.
          const patience = Math.min(...places.map(({ until }) => until)) - monotonic()
          await sleep(Math.max(1, Math.ceil(Math.min(waitMs, patience))))
        }
      }
    } catch (error) {
      for (const place of places.splice(0)) place.refuse(error)
    } finally {
      isMoving = false
    }
  }

  return {
    turn(left) {
      if (spare.count > 0 && spare.until > monotonic()) {
        spare.count--
        return Promise.resolve()
      }
      return new Promise((go, refuse) => {
        const since = monotonic()
        places.push({
          get left() {
            return left()
          },
          since,
          until: since + PATIENCE_MS,
          go,
          refuse,
        })
        if (places.length > MOST) {
          places.sort(byTurn)
          places.pop()?.refuse(tooLong())
        }
        void move()
      })
    },
  }
}
