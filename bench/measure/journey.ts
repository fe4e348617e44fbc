import type { Browser, Page } from 'playwright'
import { cardPath } from '#paths'
import { buyThroughApi } from '#tests/support/e2e/api.ts'
import { slowDown } from '../harness/network.ts'
import { openVisitor } from '../harness/page-load.ts'
import type { BenchSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { median, percentile, spread } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'
import { measurePurchase } from './purchase.ts'

const PART = 'The recipient’s journey, slow network, processor at a quarter'
const PROCESSOR_SLOWDOWN = 4
/** Points given by single taps, to time each. */
const TAPS = 20

/** What a recipient does from the link to the gift given, as quickly as the screens allow. */
interface Journey {
  readonly interactions: number
  readonly seconds: number
  /** From Skip on the last screen of the story to the list's own button. */
  readonly listMs: number
  /** From each tap on an organisation to its point on the glass. */
  readonly taps: readonly number[]
}

export async function measureJourney(
  browser: Browser,
  site: BenchSite,
  { stories }: { stories: number },
): Promise<Figure[]> {
  const journeys: Journey[] = []
  for (let n = 0; n < stories; n++) journeys.push(await travel(browser, site, 'skip'))
  const shortest = await travel(browser, site, 'gift')
  const of = (pick: (journey: Journey) => number) => journeys.map(pick)
  const taps = journeys.flatMap(journey => journey.taps)
  const figure = (
    id: string,
    what: string,
    unit: string,
    values: readonly number[],
    more: Partial<Figure>,
  ): Figure => ({
    id,
    part: PART,
    what,
    unit,
    measured: median(values),
    spread: spread(values),
    ...more,
  })
  return [
    figure(
      'interactions',
      'link opened to gift given, by Skip: interactions',
      '',
      of(each => each.interactions),
      {
        goal: goalOf('journey-interactions'),
      },
    ),
    figure(
      'shortest',
      'the same by the first screen’s way to the gift: interactions',
      '',
      [shortest.interactions],
      {
        goal: goalOf('journey-shortest'),
      },
    ),
    figure(
      'time',
      'the same: time',
      's',
      of(each => each.seconds),
      { goal: goalOf('journey-time') },
    ),
    figure(
      'list',
      'end of the story to a list that answers',
      'ms',
      of(each => each.listMs),
      {},
    ),
    figure(
      'tap',
      `tap on an organisation to its point, the slowest of fifty (${taps.length} taps)`,
      'ms',
      taps,
      {
        measured: percentile(taps, 0.98),
        goal: goalOf('journey-tap'),
      },
    ),
    ...(await measurePurchase(browser, site)),
  ]
}

/** @param by what a recipient presses on a screen of the story: Skip, or the first screen's own way to the gift */
async function travel(browser: Browser, site: BenchSite, by: 'skip' | 'gift'): Promise<Journey> {
  const { privateKey } = await buyThroughApi({ ...site, logFile: '' })
  const url = site.url + cardPath(privateKey)
  const page = await openVisitor(browser, { url, slow: true, fault: undefined })
  try {
    await page.addInitScript(timePoints)
    const session = await page.context().newCDPSession(page)
    await slowDown(session)
    await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN })
    let interactions = 0
    const press = async (selector: string): Promise<void> => {
      await page.locator(selector).first().click()
      interactions++
    }
    const startedAt = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    let leftStoryAt = 0
    for (let screen = await shown(page, ''); screen !== 'select-ngo'; screen = await shown(page, screen)) {
      leftStoryAt = performance.now()
      await press(`[data-action="${by}"]`)
    }
    await page.locator('.split-hint[data-live] [data-action="show-list"]').waitFor()
    const listMs = performance.now() - leftStoryAt
    await press('[data-action="show-list"]')
    await press('[data-ngo] [data-action="add"]')
    await press('[data-action="rest"]')
    await press('[data-action="continue"]')
    await press('[data-action="confirm"]')
    await page.locator('main[data-screen="thanks"]').waitFor()
    const seconds = (performance.now() - startedAt) / 1_000
    return { interactions, seconds, listMs, taps: await tapPoints(page, site) }
  } finally {
    await page.context().close()
  }
}

/** Waits for another screen than `before`. */
async function shown(page: Page, before: string): Promise<string> {
  const main = page.locator(
    `main[data-screen]:not([data-screen="${before}"]):not([data-screen="introduction"])`,
  )
  return (await main.getAttribute('data-screen')) ?? ''
}

/** Gives single points on the list of another card, and times each. */
async function tapPoints(page: Page, site: BenchSite): Promise<number[]> {
  await page.goto(site.url + cardPath(site.keys.preview, 'select-ngo', 'preview'))
  await page.locator('.split-hint[data-live] [data-action="show-list"]').click()
  const add = page.locator('[data-ngo] [data-action="add"]').first()
  for (let tap = 0; tap < TAPS; tap++) {
    await add.click()
    await page.waitForFunction(count => (window as unknown as Timed).points?.length === count, tap + 1)
  }
  return page.evaluate(() => (window as unknown as Timed).points)
}

interface Timed {
  points: number[]
}

/** In the browser: ms from each tap that adds a point to the frame that shows it. */
function timePoints(): void {
  const points: number[] = []
  Object.assign(window, { points })
  const left = () => document.querySelector<HTMLElement>('[data-left]')?.dataset.left
  addEventListener(
    'click',
    ({ timeStamp, target }) => {
      if (!(target as Element).closest('[data-action="add"]')) return
      const before = left()
      const look = (): void => {
        if (left() === before) return void requestAnimationFrame(look)
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => points.push(performance.now() - timeStamp)
        port2.postMessage('')
      }
      requestAnimationFrame(look)
    },
    true,
  )
}
