import type { Browser } from 'playwright'
import { openBrowser } from './harness/browser.ts'
import { ENGINES } from './harness/databases.ts'
import type { Profile } from './harness/profile.ts'
import { mostTelling, OTHER_SCREENS, type Screen, screensOf } from './harness/screen-list.ts'
import { type BenchSite, type SiteOptions, startSite } from './harness/site.ts'
import { measureAutoDonation } from './measure/auto-donation.ts'
import { measureCosts } from './measure/costs.ts'
import { measureCrowd } from './measure/crowd.ts'
import { measureEndpoints } from './measure/endpoints.ts'
import { measureFailover } from './measure/failover.ts'
import { measureJourney } from './measure/journey.ts'
import { measureLighthouse } from './measure/lighthouse.ts'
import { measureOpenShop } from './measure/open-shop.ts'
import { measureOperations } from './measure/operations.ts'
import { measureOverload } from './measure/overload.ts'
import { measurePaint } from './measure/paint.ts'
import { measurePublish } from './measure/publish.ts'
import { measureRedemptions } from './measure/redemptions.ts'
import { measureScaleOut } from './measure/scale-out.ts'
import { measureScreens } from './measure/screens.ts'
import { measureServer } from './measure/server.ts'
import { measureSoak } from './measure/soak.ts'
import { measureTaps } from './measure/taps.ts'
import type { Figure } from './report/threshold.ts'

/** What a measurement may use. */
export interface Tools {
  readonly site: BenchSite
  readonly browser: Browser
  readonly screens: readonly Screen[]
}

export type Part = (tools: Tools, profile: Profile) => Promise<Figure[]>

const onEachEngine = async (measure: (engine: (typeof ENGINES)[number]) => Promise<Figure[]>) => {
  const figures: Figure[] = []
  for (const engine of ENGINES) figures.push(...(await measure(engine)))
  return figures
}

/** All measurements, in the order of the table. */
export const PARTS = {
  screens: ({ browser, site, screens }) => measureScreens(browser, site, [...screens, ...OTHER_SCREENS]),
  paint: ({ browser, site, screens }, { paintScreens, paintLoads, peerScreens }) =>
    measurePaint(browser, site, {
      screens: mostTelling(screens, paintScreens),
      loads: paintLoads,
      peerScreens,
    }),
  taps: ({ browser, site }, profile) => measureTaps(browser, site, profile),
  journey: ({ browser, site }, profile) => measureJourney(browser, site, profile),
  lighthouse: ({ site }, profile) => measureLighthouse(site, profile),
  server: ({ browser, site }, profile) => measureServer(browser, site, profile),
  endpoints: ({ site }, profile) => measureEndpoints(site, profile),
  redemptions: (_, profile) => onEachEngine(engine => measureRedemptions(engine, profile)),
  'auto-donation': (_, profile) => onEachEngine(engine => measureAutoDonation(engine, profile)),
  publish: (_, profile) => measurePublish(profile),
  costs: (_, profile) => onEachEngine(engine => measureCosts(engine, profile)),
  'scale-out': (_, profile) => measureScaleOut(profile),
  crowd: (_, profile) => measureCrowd(profile),
  overload: (_, profile) => measureOverload(profile),
  failover: (_, profile) => measureFailover(profile),
  soak: (_, profile) => measureSoak(profile),
  'open-shop': ({ site, screens }, profile) => measureOpenShop(site, screens, profile),
  operations: (_, profile) => measureOperations(profile),
} as const satisfies Record<string, Part>

export type PartName = keyof typeof PARTS

/** Take half an hour, gigabytes or root: only when they are named, and in the long run. */
export const SLOW_PARTS: readonly PartName[] = ['failover', 'open-shop', 'operations']

export const partNames = (): readonly PartName[] => Object.keys(PARTS) as PartName[]

/** Runs something with the product, a browser and the list of screens at hand. */
export async function withTools<T>(options: SiteOptions, work: (tools: Tools) => Promise<T>): Promise<T> {
  const site = await startSite(options)
  try {
    const browser = await openBrowser()
    try {
      return await work({ site, browser, screens: await screensOf(site) })
    } finally {
      await browser.close()
    }
  } finally {
    await site.stop()
  }
}
