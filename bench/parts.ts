import type { Browser } from 'playwright'
import { openBrowser } from './browser.ts'
import type { Effort } from './effort.ts'
import type { Figure } from './judge.ts'
import { measureJourney } from './measure-journey.ts'
import { measurePaint } from './measure-paint.ts'
import { measureRedemptions } from './measure-redemptions.ts'
import { measureScreens } from './measure-screens.ts'
import { measureServer } from './measure-server.ts'
import { measureTaps } from './measure-taps.ts'
import { mostTelling, type Screen, screensOf } from './screens.ts'
import { type BenchSite, startSite } from './site.ts'

/** What a measurement may use. */
export interface Tools {
  readonly site: BenchSite
  readonly browser: Browser
  readonly screens: readonly Screen[]
}

export type Part = (tools: Tools, effort: Effort) => Promise<Figure[]>

/** All measurements, in the order of the table. */
export const PARTS = {
  screens: ({ browser, site, screens }) => measureScreens(browser, site, screens),
  paint: ({ browser, site, screens }, { paintScreens, paintLoads }) =>
    measurePaint(browser, site, { screens: mostTelling(screens, paintScreens), loads: paintLoads }),
  taps: ({ browser, site }, effort) => measureTaps(browser, site, effort),
  journey: ({ browser, site }, effort) => measureJourney(browser, site, effort),
  server: ({ browser, site }, effort) => measureServer(browser, site, effort),
  redemptions: async (_, effort) => [
    ...(await measureRedemptions('sqlite', effort)),
    ...(await measureRedemptions('postgres', effort)),
  ],
} as const satisfies Record<string, Part>

export type PartName = keyof typeof PARTS

/** Runs something with the product, a browser and the list of screens at hand. */
export async function withTools<T>(
  options: { cards: number; preload?: string },
  work: (tools: Tools) => Promise<T>,
): Promise<T> {
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
