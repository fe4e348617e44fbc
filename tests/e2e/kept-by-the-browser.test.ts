import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { ensureChromium } from '#tests/support/chromium.ts'
import { buyThroughApi, giftPath, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { BROWSER_ARGS } from '#tests/support/e2e/browser-args.ts'
import { arrive, senderPath } from '#tests/support/e2e/buyer.ts'
import { showList } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, idle } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { test as base, expect } from '#tests/support/e2e/test.ts'
import type { Watch } from '#tests/support/e2e/watch.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

/** A browser that keeps pages as they were when they are left, even those that say no-store, as phones do. */
const test = base.extend<object, { keeping: Awaited<ReturnType<typeof chromium.launch>> }>({
  keeping: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: ensureChromium(),
        args: [
          ...BROWSER_ARGS,
          '--enable-features=CacheControlNoStoreEnterBackForwardCache:level/restore-unless-http-only-cookie-change',
        ],
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
})

/** Notes in the tab that a page came back as it was, and whether anything of it could be seen then. */
const noteReturns = (page: Page) =>
  page.addInitScript(() => {
    sessionStorage.setItem('gift:opened', '1')
    const note = ({ persisted }: PageTransitionEvent): void => {
      const { visibility } = getComputedStyle(document.querySelector('main')!)
      if (persisted) sessionStorage.setItem('test:returned', visibility)
    }
    // Listens last, so that the page's own answer to the event has been given.
    addEventListener('load', () => addEventListener('pageshow', note))
  })

/** What `noteReturns` has noted. */
const returned = (page: Page) => page.evaluate(() => sessionStorage.getItem('test:returned'))

/** A visitor on a phone whose browser keeps pages. */
async function comeBy(
  keeping: Browser,
  site: Site,
  watch: Watch,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await keeping.newContext({
    baseURL: site.url,
    locale: LOCALES.es,
    viewport: { width: 390, height: 844 },
    ...options,
  })
  await watch.follow(context)
  const page = await context.newPage()
  await noteReturns(page)
  return page
}

test('a list that the browser kept is not seen again before the server was asked', async ({
  keeping,
  site,
  watch,
}) => {
  const page = await comeBy(keeping, site, watch)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await showList(page)
  await page.goto('/es/who-we-are')
  expect((await redeemThroughApi(site, privateKey, { 'ngo-msf': 50 })).status).toBe(200)
  await page.goBack({ waitUntil: 'commit' })
  await atScreen(page, 'consumed')
  await expect(page.locator('[data-allocation]')).toHaveCount(0)
  await expect.poll(() => returned(page)).toBe('hidden')
  await page.context().close()
})

test('a page that the browser kept measures nothing more when the visitor comes back with a "reject"', async ({
  keeping,
  site,
  watch,
}) => {
  const page = await comeBy(keeping, site, watch, { reducedMotion: 'reduce' })
  await arrive(page, '/', 'accept-all')
  await page.goto(senderPath('es', 'ngo-list'))
  const session = () => page.evaluate(() => sessionStorage.getItem('gift:analytics-session'))
  await expect.poll(session).not.toBeNull()
  await action(page, 'cookies').click()
  await atScreen(page, 'cookies-settings')
  await action(page, 'reject').click()
  await atScreen(page, 'intro')
  const calls: string[] = []
  page.on('request', request => calls.push(new URL(request.url()).pathname))
  await page.goBack({ waitUntil: 'commit' })
  await expect(page.locator('main')).toHaveAttribute('data-screen', 'ngo-list')
  await expect.poll(() => returned(page)).toBe('visible')
  await page.mouse.wheel(0, 400)
  await idle(page)
  expect(calls.filter(path => path.startsWith('/api/'))).toEqual([])
  await page.context().close()
})
