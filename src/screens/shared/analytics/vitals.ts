import type { Tracker } from '#screens/shared/analytics/tracker.ts'

interface LayoutShift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}
interface EventTiming extends PerformanceEntry {
  readonly interactionId?: number
}

/** Web Vitals of a page as it loaded, told once when it is left; ms, and for CLS a score. */
export function watchVitals(track: Tracker['track']): void {
  const values = new Map<string, number>()
  const set = (name: string, value: number): void => void values.set(name, value)
  const raise = (name: string, value: number): void => set(name, Math.max(values.get(name) ?? 0, value))

  observe('navigation', entry => set('TTFB', (entry as PerformanceNavigationTiming).responseStart))
  observe('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') set('FCP', startTime)
  })
  observe('largest-contentful-paint', ({ startTime }) => set('LCP', startTime))
  set('CLS', 0)
  observe('layout-shift', entry => {
    const { value, hadRecentInput } = entry as LayoutShift
    if (!hadRecentInput) set('CLS', (values.get('CLS') ?? 0) + value)
  })
  observe('event', entry => {
    if ((entry as EventTiming).interactionId) raise('INP', entry.duration)
  })

  const tell = (): void => {
    if (document.visibilityState !== 'hidden') return
    for (const [name, value] of values)
      track('web-vital', {
        name,
        value: name === 'CLS' ? Math.round(value * 1000) / 1000 : Math.round(value),
      })
    values.clear()
  }
  document.addEventListener('visibilitychange', tell)
}

/** Calls back with each entry of a kind, also those of before; does nothing where the browser knows none. */
function observe(type: string, each: (entry: PerformanceEntry) => void): void {
  if (!PerformanceObserver.supportedEntryTypes.includes(type)) return
  new PerformanceObserver(list => list.getEntries().forEach(each)).observe({ type, buffered: true })
}
