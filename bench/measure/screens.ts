import type { Browser } from 'playwright'
import { PICTURE_PATHS } from '#paths'
import { type Load, load } from '../harness/page-load.ts'
import { inTurn } from '../harness/pool.ts'
import type { Screen } from '../harness/screen-list.ts'
import type { BenchSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import type { Figure } from '../report/threshold.ts'
import type { PageFault } from '../self-test/faults.ts'

const PART = 'Bytes and requests until loaded'
const KILO = 1_000
/** Bytes do not depend on how busy the browser is. */
const AT_ONCE = 4

/** What one screen costs a new visitor until it is loaded and live, and how much of it moves meanwhile. */
interface Cost {
  readonly screen: Screen
  /** Without photographs, which are the operator's and have a goal of their own (decision 145). */
  readonly kilobytes: number
  /** The heaviest photograph that comes until then. */
  readonly pictureKilobytes: number
  readonly requests: number
  readonly scriptKilobytes: number
  /** What is fetched while the visitor reads. */
  readonly laterKilobytes: number
  readonly earlyFonts: number
  readonly thirdParties: number
  /** Of everything that moved without being touched, until the page came to rest. */
  readonly shift: number
  /** A text with something to fill in may weigh more. */
  readonly hasForm: boolean
}

export async function measureScreens(
  browser: Browser,
  site: BenchSite,
  screens: readonly Screen[],
  fault?: PageFault,
): Promise<Figure[]> {
  const costs = await inTurn(AT_ONCE, screens, async screen => {
    const { path, ...visitor } = screen
    // Bytes are the same on a slow phone: what moves is seen there, where things come one after the other.
    const visit = { ...visitor, url: site.url + path, slow: true, fault }
    const { transfers, observed, seen } = await load(browser, visit, page => page.evaluate(contentsOf))
    const cost = costOf(screen, transfers, { origin: site.url, islandFiles: seen.islandFiles })
    return { ...cost, shift: observed.shift, hasForm: seen.hasForm }
  })
  const names = [...new Set(screens.map(({ name }) => name))]
  return [
    ...names.flatMap(name => figuresOf(costs.filter(({ screen }) => screen.name === name))),
    figure(
      'early-fonts',
      'fonts before a page is loaded',
      '',
      sum(costs.map(each => each.earlyFonts)),
      goalOf('early-fonts'),
    ),
    figure(
      'third-parties',
      'requests to others',
      '',
      sum(costs.map(each => each.thirdParties)),
      goalOf('third-parties'),
    ),
  ]
}

/** In the browser: whether there is something to fill in, and the addresses of all code of its islands. */
const contentsOf = () => ({
  hasForm: document.querySelector('form, input') !== null,
  islandFiles: [...document.querySelectorAll('astro-island')].flatMap(island =>
    ['component-url', 'renderer-url'].map(
      name => new URL(island.getAttribute(name) ?? '', location.href).href,
    ),
  ),
})

function costOf(
  screen: Screen,
  transfers: Load['transfers'],
  { origin, islandFiles }: { readonly origin: string; readonly islandFiles: readonly string[] },
): Omit<Cost, 'shift' | 'hasForm'> {
  // In the order in which they ended: a script may end before the document that asked for it.
  const second = transfers.findLastIndex(({ type }) => type === 'Document')
  const own = screen.leadsOn && second > 0 ? transfers.slice(0, second) : transfers
  // A text is complete once loaded. An island's code and what it asks the server may come later and count: not so the
  // display face, the icon, and the scripts that every page fetches once it has come to rest.
  const isIdle = ({ type, url, afterLoad }: Load['transfers'][number]): boolean =>
    afterLoad &&
    (screen.kind === 'text' ||
      type === 'Font' ||
      type === 'Other' ||
      (type === 'Script' && !islandFiles.includes(url)))
  const counted = own.filter(each => !isIdle(each))
  const pictures = counted.filter(isPicture)
  return {
    screen,
    kilobytes: kilobytes(counted.filter(each => !isPicture(each))),
    pictureKilobytes: Math.max(0, ...pictures.map(each => kilobytes([each]))),
    requests: counted.length,
    scriptKilobytes: kilobytes(counted.filter(({ type }) => type === 'Script')),
    laterKilobytes: kilobytes(own.filter(isIdle)),
    earlyFonts: own.filter(({ type, afterLoad }) => type === 'Font' && !afterLoad).length,
    thirdParties: own.filter(({ url }) => !url.startsWith(`${origin}/`)).length,
  }
}

/** A photograph of the content; drawings of the site's own stand in its pages, or count as part of them. */
const isPicture = ({ type, url }: Load['transfers'][number]): boolean =>
  type === 'Image' && new URL(url).pathname.startsWith(PICTURE_PATHS)

/** One screen's figures, or the greatest of several. */
function figuresOf(costs: readonly Cost[]): Figure[] {
  const [{ screen }] = costs as [Cost]
  const isIsland = screen.kind === 'island'
  const bytesGoal = isIsland
    ? 'island-bytes'
    : costs.some(({ hasForm }) => hasForm)
      ? 'form-bytes'
      : 'text-bytes'
  const most = (of: (cost: Cost) => number): number => Math.max(...costs.map(of))
  const line = (what: string, unit: string, measured: number, goal?: Figure['goal']): Figure =>
    figure(`${screen.name} ${what}`, `${screen.name} · ${what}`, unit, measured, goal)
  return [
    line(
      'all',
      'kB',
      most(cost => cost.kilobytes),
      goalOf(bytesGoal),
    ),
    line(
      'photograph',
      'kB',
      most(cost => cost.pictureKilobytes),
      most(cost => cost.pictureKilobytes) > 0 ? goalOf('picture-bytes') : undefined,
    ),
    line(
      'requests',
      '',
      most(cost => cost.requests),
      goalOf(isIsland ? 'island-requests' : 'text-requests'),
    ),
    line(
      'script',
      'kB',
      most(cost => cost.scriptKilobytes),
      isIsland ? goalOf('island-script') : undefined,
    ),
    line(
      'later, while it is read',
      'kB',
      most(cost => cost.laterKilobytes),
    ),
    line(
      'layout shift',
      '',
      most(cost => cost.shift),
      goalOf('screen-shift'),
    ),
  ].filter(({ goal, measured }) => goal !== undefined || measured > 0)
}

const figure = (id: string, what: string, unit: string, measured: number, goal?: Figure['goal']): Figure => ({
  id,
  part: PART,
  what,
  unit,
  measured,
  ...(goal && { goal }),
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const kilobytes = (transfers: Load['transfers']): number => sum(transfers.map(({ bytes }) => bytes)) / KILO
