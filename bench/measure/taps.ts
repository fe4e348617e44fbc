import type { Browser, Page } from 'playwright'
import { cardPath } from '#paths'
import { slowDown } from '../harness/network.ts'
import { openVisitor } from '../harness/page-load.ts'
import type { BenchSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { percentile, spread } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'
import type { PageFault } from '../self-test/faults.ts'

const STORY = ['introduction-1', 'introduction-2', 'introduction-4', 'introduction-5']
/** After the moment from which a tap counts, in ms. */
const AFTER_THE_GATE = 100
const GIVE_UP_MS = 5_000

/** From a tap, as soon as it counts, to the next screen of the story on the glass, beneath the fade. Slow network. */
export async function measureTaps(
  browser: Browser,
  site: BenchSite,
  { stories, fault }: { stories: number; fault?: PageFault },
): Promise<Figure[]> {
  const taps: number[] = []
  for (let story = 0; story < stories; story++) taps.push(...(await tapThrough(browser, site, fault)))
  return [
    {
      id: 'tap',
      part: 'The story on a slow network',
      what: `tap to next screen, the slowest of twenty (${taps.length} taps)`,
      unit: 'ms',
      measured: percentile(taps, 0.95),
      spread: spread(taps),
      goal: goalOf('tap-to-next-screen'),
    },
  ]
}

async function tapThrough(
  browser: Browser,
  site: BenchSite,
  fault: PageFault | undefined,
): Promise<number[]> {
  const [key = ''] = site.keys.active
  const url = site.url + cardPath(key, STORY[0])
  const page = await openVisitor(browser, { url, slow: true, fault })
  try {
    await page.addInitScript(timeTaps)
    await slowDown(await page.context().newCDPSession(page))
    await page.goto(url, { waitUntil: 'load' })
    const taps: number[] = []
    for (const next of STORY.slice(1)) taps.push(await tap(page, next))
    return taps
  } finally {
    await page.context().close()
  }
}

/** @returns ms until the next screen was painted; Infinity when it did not come, or came as a page of its own */
async function tap(page: Page, next: string): Promise<number> {
  const wait = await page.locator('main').getAttribute('data-wait')
  await page.waitForTimeout(Number(wait) + AFTER_THE_GATE)
  await page.mouse.click(195, 250)
  const painted = await page
    .waitForFunction(() => (window as unknown as Tapped).painted, undefined, { timeout: GIVE_UP_MS })
    .catch(() => undefined)
  const ms = (await painted?.jsonValue()) ?? Number.POSITIVE_INFINITY
  await page.locator(`main[data-screen="${next}"]`).waitFor()
  return ms
}

interface Tapped {
  /** ms from the last tap to the paint of another screen. */
  painted: number | undefined
}

/** In the browser, before the page's scripts. */
function timeTaps(): void {
  const screen = (): string | undefined => document.querySelector('main')?.dataset.screen
  const report = (ms: number | undefined) => Object.assign(window, { painted: ms })
  const look = (from: string | undefined, tappedAt: number): void => {
    requestAnimationFrame(() => {
      if (screen() === from) return look(from, tappedAt)
      // A message posted in a frame is read once that frame has been painted.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => report(performance.now() - tappedAt)
      port2.postMessage('')
    })
  }
  const start = ({ timeStamp }: Event): void => {
    report(undefined)
    look(screen(), timeStamp)
  }
  addEventListener('click', start, true)
}
