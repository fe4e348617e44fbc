import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { notePresses, tellPresses } from './presses.ts'
import type { Site } from './server.ts'
import { createWatch, type Watch } from './watch.ts'

interface PerTest {
  /** Follows every visitor of the test; at its end there must be no fault that the test did not expect. */
  readonly watch: Watch
  /** A new visitor, with nothing stored and a window of their own. */
  readonly visitor: (options?: BrowserContextOptions) => Promise<Page>
}

interface PerWorker {
  /** The product that the test drives. */
  readonly site: Site
}

export const test = base.extend<PerTest, PerWorker>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => use(JSON.parse(process.env.E2E_SITE ?? '{}') as Site),
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.url),
  watch: [
    async ({ site }, use) => {
      const watch = createWatch(site.url)
      await use(watch)
      expect(watch.faults()).toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, watch }, use, testInfo) => {
    await watch.follow(context)
    await notePresses(context)
    await use(context)
    await tellPresses(context, testInfo)
  },
  visitor: async ({ browser, watch }, use) => {
    const open: Page[] = []
    await use(async options => {
      const context = await browser.newContext(options)
      await watch.follow(context)
      const page = await context.newPage()
      open.push(page)
      return page
    })
    for (const page of open) await page.context().close()
  },
})

export { expect }

/** For tests that have nothing to do with the waits: nothing moves, so nothing waits. */
export const STILL = { contextOptions: { reducedMotion: 'reduce' } } as const
