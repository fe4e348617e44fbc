/**
 * Lets through the first call, and then at most one in `ms`. Of calls that come too soon, the last one is let through
 * when its time has come: the final position is never lost.
 * @param clock ms that only grow, and a way to be called later
 */
export function throttled<Event>(
  ms: number,
  act: (event: Event) => void,
  clock: { now(): number; later(act: () => void, ms: number): unknown } = {
    now: () => performance.now(),
    later: (act, ms) => setTimeout(act, ms),
  },
): (event: Event) => void {
  let last = Number.NEGATIVE_INFINITY
  let waiting: { event: Event } | undefined
  const pass = (event: Event): void => {
    last = clock.now()
    act(event)
  }
  return event => {
    const left = last + ms - clock.now()
    if (waiting) waiting.event = event
    else if (left <= 0) pass(event)
    else {
      const held = { event }
      waiting = held
      clock.later(() => {
        waiting = undefined
        pass(held.event)
      }, left)
    }
  }
}
