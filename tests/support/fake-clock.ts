/** A clock that stands still until it is moved. */
export interface FakeClock {
  /** Now, in epoch milliseconds UTC. */
  (): number
  set(instant: number | string): void
  advance(ms: number): void
}

/** @param start epoch ms, or anything `Date` reads */
export function fakeClock(start: number | string = '2026-03-10T09:00:00Z'): FakeClock {
  let now = new Date(start).getTime()
  return Object.assign(() => now, {
    set(instant: number | string) {
      now = new Date(instant).getTime()
    },
    advance(ms: number) {
      now += ms
    },
  })
}
