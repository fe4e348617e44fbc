import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright'
import type { PageFault } from '../self-test/faults.ts'
import { followNetwork, slowDown, type Transfer } from './network.ts'
import { type Observed, observe } from './observer.ts'
import { CHOICES, SESSION } from './screen-list.ts'

export interface Visit {
  readonly url: string
  /** `data-screen` of what must come; a bare page has none. */
  readonly word?: string
  readonly cookies?: Readonly<Record<string, string>>
  /** In the browser's storage and the tab's, beside what every visitor has there. */
  readonly kept?: Readonly<Record<string, string>> | undefined
  readonly session?: Readonly<Record<string, string>> | undefined
  /** A slow phone: a quarter of the processor, 1.6 Mbps, 150 ms. */
  readonly slow: boolean
  readonly fault?: PageFault | undefined
}

export interface Load {
  readonly transfers: readonly (Transfer & { readonly afterLoad: boolean })[]
  readonly observed: Observed
}

/** What was sent in all, kB of 1,000 bytes. */
export const kilobytes = (transfers: Load['transfers']): number =>
  transfers.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000

const QUIET_MS = 400
const GIVE_UP_MS = 20_000
const NO_PAINT_MS = 10_000

/**
 * A new visitor opens a page and stays until it is loaded, its islands live and the network is quiet.
 * @param look is shown the page before it is closed
 */
export async function load<T>(
  browser: Browser,
  visit: Visit,
  look: (page: Page) => Promise<T>,
): Promise<Load & { readonly seen: T }> {
  const page = await openVisitor(browser, visit)
  try {
    const session = await page.context().newCDPSession(page)
    const network = await followNetwork(session)
    await session.send('Page.enable')
    await session.send('Page.setLifecycleEventsEnabled', { enabled: true })
    if (visit.slow) {
      await slowDown(session)
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    }
    const painted = firstPaint(session)
    await page.goto(visit.url, { waitUntil: 'commit' })
    await painted
    await settle(page, network.quietFor)
    const { observed, late, word } = await page.evaluate(reportOfPage)
    if (word !== visit.word) throw new Error(`${visit.url} led to the screen ${word}`)
    const transfers = network.transfers.map(each => ({ ...each, afterLoad: late.includes(each.url) }))
    return { transfers, observed, seen: await look(page) }
  } finally {
    await page.context().close()
  }
}

/** A phone-sized window of somebody who was never here, but stands in the middle of a flow. */
export async function openVisitor(
  browser: Browser,
  { url, cookies = {}, kept, session, fault }: Visit,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-ES' })
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })))
  await context.addInitScript(observe)
  await context.addInitScript(
    ([choices, session]) => {
      for (const [key, value] of Object.entries(choices)) localStorage.setItem(key, value)
      for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value)
    },
    [
      { ...CHOICES, ...kept },
      { ...SESSION, ...session },
    ] as const,
  )
  await fault?.(context)
  return context.newPage()
}

/**
 * Nothing is asked of a page before it has painted: the first question alone takes 6 ms of processor time and more,
 * four times that on a slow phone, before the paint or after it, as it happens. Resolves also where no paint has come for long.
 */
async function firstPaint(session: CDPSession): Promise<void> {
  const given = new AbortController()
  const painted = new Promise<void>(resolve => {
    session.on('Page.lifecycleEvent', ({ name }) => name === 'firstContentfulPaint' && resolve())
  })
  const late = pause(NO_PAINT_MS, undefined, { signal: given.signal }).catch(() => {})
  await Promise.race([painted, late])
  given.abort()
}

async function settle(page: Page, quietFor: () => number): Promise<void> {
  const until = performance.now() + GIVE_UP_MS
  while (performance.now() < until) {
    // While one page follows another there is none to ask.
    const isLive = await page.evaluate(isLoadedAndLive).catch(() => false)
    if (isLive && quietFor() >= QUIET_MS) return
    await pause(50)
  }
  throw new Error(`${page.url()} did not come to rest`)
}

/** In the browser. */
const isLoadedAndLive = (): boolean =>
  document.readyState === 'complete' && document.querySelector('astro-island[ssr]') === null

/** In the browser: what the observers have gathered, and the addresses first asked for after the load event. */
function reportOfPage(): { observed: Observed; late: string[]; word: string | undefined } {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const late = performance
    .getEntriesByType('resource')
    .filter(({ startTime }) => startTime >= (navigation?.loadEventStart ?? 0))
    .map(({ name }) => name)
  const { observed } = window as unknown as { observed: Observed }
  return { observed, late, word: document.querySelector('main')?.dataset.screen }
}
