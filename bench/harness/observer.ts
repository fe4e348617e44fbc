/** What the browser tells of a page, as the observers below gather it. */
export interface Observed {
  /** ms after the navigation; null as long as it has not come. */
  firstPaint: number | null
  largestPaint: number | null
  /** Sum of all layout shifts without input. */
  shift: number
  /** Start and duration of each task of 50 ms and more. */
  readonly longTasks: [number, number][]
  /** ms from each tap or key to the next paint, as the browser counts it: in steps of 8, from 16 on. */
  readonly interactions: number[]
}

/** Runs in the browser before any script of the page; leaves an `Observed` in `window.observed`. */
export function observe(): void {
  const observed: Observed = {
    firstPaint: null,
    largestPaint: null,
    shift: 0,
    longTasks: [],
    interactions: [],
  }
  Object.assign(window, { observed })
  const watch = (type: string, take: (entry: PerformanceEntry) => void): void =>
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) take(entry)
    }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') observed.firstPaint = startTime
  })
  watch('largest-contentful-paint', ({ startTime }) => {
    observed.largestPaint = startTime
  })
  watch('layout-shift', entry => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
    if (!hadRecentInput) observed.shift += value
  })
  watch('event', entry => {
    const { interactionId, duration } = entry as PerformanceEventTiming
    if (interactionId > 0) observed.interactions.push(duration)
  })
  watch('longtask', ({ startTime, duration }) => observed.longTasks.push([startTime, duration]))
}

const LONG_MS = 50

/** Total blocking time: what the tasks after the first paint took beyond 50 ms each. */
export function blockedMs({ firstPaint, longTasks }: Observed): number {
  if (firstPaint === null) return Number.POSITIVE_INFINITY
  return longTasks
    .filter(([start, duration]) => start + duration > firstPaint)
    .reduce((sum, [start, duration]) => {
      const after = start + duration - Math.max(start, firstPaint)
      return sum + Math.max(0, after - LONG_MS)
    }, 0)
}
