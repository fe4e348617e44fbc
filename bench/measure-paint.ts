import type { Browser } from 'playwright'
import { bareCopyOf } from './bare-copy.ts'
import { GOALS } from './goals.ts'
import type { Figure, Goal } from './judge.ts'
import { blockedMs, type Observed } from './observer.ts'
import { load, type Visit } from './page-load.ts'
import type { Plant } from './plants.ts'
import { startReference } from './reference.ts'
import type { Screen } from './screens.ts'
import type { BenchSite } from './site.ts'
import { median, spread } from './statistics.ts'

const PART = 'Paint on a slow phone, against a bare page with the same words'

/**
 * When a screen shows on a phone with a quarter of the processor, 1.6 Mbps and 150 ms: each screen and its bare
 * page in turn, so that a busy moment of the machine slows both.
 */
export async function measurePaint(
  browser: Browser,
  site: BenchSite,
  { screens, loads, plant }: { screens: readonly Screen[]; loads: number; plant?: Plant },
): Promise<Figure[]> {
  const visits = screens.map(({ word, path, cookies = {} }) => ({ word, cookies, url: site.url + path }))
  const bare: Record<string, string> = {}
  for (const [index, visit] of visits.entries()) {
    bare[`/${index}`] = await bareCopyOf(browser, visit)
  }
  const reference = await startReference(bare)
  try {
    const own = screens.map(() => [] as Observed[])
    const others = screens.map(() => [] as Observed[])
    const visitSlowly = async (visit: Omit<Visit, 'slow'>): Promise<Observed> =>
      (await load(browser, { ...visit, slow: true }, async () => {})).observed
    for (let round = 0; round < loads; round++) {
      for (const [index, visit] of visits.entries()) {
        own[index]!.push(await visitSlowly({ ...visit, plant }))
        others[index]!.push(await visitSlowly({ url: `${reference.url}/${index}` }))
      }
    }
    return screens.flatMap((screen, index) => figuresOf(screen, own[index]!, others[index]!))
  } finally {
    await reference.stop()
  }
}

function figuresOf({ name, kind }: Screen, own: readonly Observed[], bare: readonly Observed[]): Figure[] {
  const compared = (what: string, of: (observed: Observed) => number): Figure => ({
    ...figure(what, 'ms', own.map(of), GOALS.paint[kind]),
    reference: median(bare.map(of)),
  })
  const figure = (what: string, unit: string, values: readonly number[], goal: Goal): Figure => ({
    part: PART,
    what: `${name} · ${what}`,
    unit,
    measured: median(values),
    spread: spread(values),
    goal,
  })
  return [
    compared('first paint', ({ firstPaint }) => firstPaint ?? Number.POSITIVE_INFINITY),
    compared('largest paint', ({ largestPaint }) => largestPaint ?? Number.POSITIVE_INFINITY),
    figure('blocked', 'ms', own.map(blockedMs), GOALS.paint.blockedMs),
    figure(
      'layout shift',
      '',
      own.map(({ shift }) => shift),
      GOALS.paint.layoutShift,
    ),
  ]
}
