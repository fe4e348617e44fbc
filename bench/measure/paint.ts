import type { Browser, Page } from 'playwright'
import { contentOf, showList } from '../harness/bare-copy.ts'
import { barePage, type Content } from '../harness/bare-page.ts'
import { withFreshBrowser } from '../harness/browser.ts'
import { blockedMs, type Observed } from '../harness/observer.ts'
import { kilobytes, type Load, load, type Visit } from '../harness/page-load.ts'
import { PEERS, startPeer } from '../harness/peers.ts'
import { PRODUCT_HEADERS, type Reference, startReference } from '../harness/reference.ts'
import type { Screen } from '../harness/screen-list.ts'
import type { BenchSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { median, percentile, spread } from '../report/statistics.ts'
import type { Figure, Goal } from '../report/threshold.ts'
import type { PageFault } from '../self-test/faults.ts'

const PART = 'Paint on a slow phone, against the same words in other stacks'
/** Points given on the list of organisations, to see how soon each is painted. */
const TAPS = 10

interface Work {
  /** The most telling ones first. */
  readonly screens: readonly Screen[]
  readonly loads: number
  /** How many of the screens are also built in the other stacks, and loaded beside. */
  readonly peerScreens: number
  readonly fault?: PageFault
}

/** What one stack needed for one screen, load after load. */
interface Loads {
  readonly observed: Observed[]
  readonly taps: number[]
  readonly transfers: Load['transfers'][]
}

/**
 * When a screen shows on a phone with a quarter of the processor, 1.6 Mbps and 150 ms: each screen, its bare page and
 * its peers in turn, each in a Chromium of its own, so that a busy moment of the machine slows all of them. All send
 * the product's headers, which cost time by themselves; the bare page without them stands beside.
 */
export async function measurePaint(
  browser: Browser,
  site: BenchSite,
  { screens, loads, peerScreens, fault }: Work,
): Promise<Figure[]> {
  const contents: Content[] = []
  for (const { word, path, cookies = {} } of screens)
    contents.push(await contentOf(browser, { word, cookies, url: site.url + path }))
  const compared = screens.slice(0, peerScreens).map(({ word }) => word)
  const stacks: Reference[] = []
  try {
    const pages = Object.fromEntries(contents.map((each, n) => [`/${n}`, barePage(each)]))
    for (const headers of [PRODUCT_HEADERS, []]) stacks.push(await startReference(pages, { headers }))
    const words = Object.fromEntries(compared.map((word, n) => [word, contents[n]!]))
    if (compared.length > 0) for (const peer of PEERS) stacks.push(await startPeer(peer, words))
    const [bare, plain, ...peers] = stacks
    const measured = screens.map(() => new Map<string, Loads>())
    for (let round = 0; round < loads; round++) {
      for (const [n, { word, path, cookies = {} }] of screens.entries()) {
        const visits: Readonly<Record<string, Omit<Visit, 'slow'>>> = {
          own: { word, cookies, url: site.url + path, fault },
          bare: { url: `${bare!.url}/${n}` },
          ...(compared.includes(word) && {
            plain: { url: `${plain!.url}/${n}` },
            ...Object.fromEntries(peers.map(({ name, url }) => [name, { word, url: `${url}/${word}` }])),
          }),
        }
        for (const [stack, visit] of Object.entries(visits)) await visitSlowly(measured[n]!, stack, visit)
      }
    }
    return screens.flatMap((screen, n) => figuresOf(screen, measured[n]!))
  } finally {
    for (const stack of stacks) await stack.stop()
  }
}

async function visitSlowly(
  into: Map<string, Loads>,
  stack: string,
  visit: Omit<Visit, 'slow'>,
): Promise<void> {
  const { observed, transfers, seen } = await withFreshBrowser(fresh =>
    load(fresh, { ...visit, slow: true }, tapOrganisations),
  )
  const loads = into.get(stack) ?? { observed: [], taps: [], transfers: [] }
  into.set(stack, loads)
  loads.observed.push(observed)
  loads.taps.push(...seen)
  loads.transfers.push(transfers)
}

/** @returns ms from each tap to its paint; nothing where there is no list */
async function tapOrganisations(page: Page): Promise<readonly number[]> {
  await showList(page)
  const add = page.locator('[data-ngo] [data-action="add"]').first()
  if ((await add.count()) === 0) return []
  const told = () => page.evaluate(() => (window as unknown as { observed: Observed }).observed.interactions)
  const before = (await told()).length
  for (let tap = 0; tap < TAPS; tap++) {
    await add.click()
    await page.waitForTimeout(50)
  }
  // What was painted within 16 ms is not told: it counts as that.
  const slow = (await told()).slice(before)
  return [...slow, ...Array.from({ length: Math.max(0, TAPS - slow.length) }, () => 16)]
}

function figuresOf({ name, kind }: Screen, stacks: ReadonlyMap<string, Loads>): Figure[] {
  const { own, bare, plain, ...peers } = Object.fromEntries(stacks) as Record<string, Loads>
  const paintGoal = goalOf(kind === 'island' ? 'island-paint' : 'text-paint')
  const figure = (what: string, unit: string, values: readonly number[], goal?: Goal): Figure => ({
    id: `${name} ${what}`,
    part: PART,
    what: `${name} · ${what}`,
    unit,
    measured: median(values),
    spread: spread(values),
    ...(goal && { goal }),
  })
  const against = (other: Loads, what: string, of: (observed: Observed) => number, goal?: Goal): Figure => ({
    ...figure(what, 'ms', own!.observed.map(of), goal),
    reference: median(other.observed.map(of)),
  })
  return [
    against(bare!, 'first paint, against bare HTML', firstPaint, paintGoal),
    against(bare!, 'largest paint, against bare HTML', largestPaint, paintGoal),
    ...(plain ? [against(plain, 'first paint, against bare HTML without the headers', firstPaint)] : []),
    figure('blocked', 'ms', own!.observed.map(blockedMs), goalOf('blocking-time')),
    figure(
      'layout shift',
      '',
      own!.observed.map(({ shift }) => shift),
      goalOf('paint-shift'),
    ),
    ...(own!.taps.length > 0 ? [interaction(figure('', 'ms', own!.taps), own!.taps)] : []),
    ...Object.entries(peers).flatMap(([peer, theirs]) => {
      const goal = peer === 'vite-react' ? goalOf('single-page-paint') : undefined
      const sums = (stack: Loads) => stack.transfers.map(kilobytes)
      return [
        against(theirs, `first paint, against ${peer}`, firstPaint, goal),
        against(theirs, `largest paint, against ${peer}`, largestPaint, goal),
        { ...figure(`all, against ${peer}`, 'kB', sums(own!)), reference: median(sums(theirs)) },
        {
          ...figure(`blocked in ${peer}`, 'ms', theirs.observed.map(blockedMs)),
        },
      ]
    }),
  ]
}

const interaction = (figure: Figure, taps: readonly number[]): Figure => ({
  ...figure,
  id: `${figure.id}interaction`,
  what: `${figure.what}tap to next paint, the slowest of fifty (${taps.length} taps)`,
  measured: percentile(taps, 0.98),
  goal: goalOf('interaction'),
})

const firstPaint = (observed: Observed): number => observed.firstPaint ?? Number.POSITIVE_INFINITY
const largestPaint = (observed: Observed): number => observed.largestPaint ?? Number.POSITIVE_INFINITY
