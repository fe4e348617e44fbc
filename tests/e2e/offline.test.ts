import type { BrowserContext, Page } from '@playwright/test'
import { buyThroughApi, giftPath, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { arrive, senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ serviceWorkers: 'allow', locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

/** Waits until the service worker answers for the page. */
const worksIn = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')

/** The addresses of everything that the browser keeps for the site by itself, without the site's own. */
const keptIn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const found: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        found.push(url.replace(location.origin, ''))
    return found.sort()
  })

/** No connection, and what the browser says of it. */
async function goOffline(context: BrowserContext, watch: { expectFault(said: RegExp): void }): Promise<void> {
  watch.expectFault(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  await context.setOffline(true)
}

const OFFLINE = LANGUAGES.map(language => `/${language}/offline`)

test('a page that was visited is there without a connection, another one says that there is none', async ({
  page,
  context,
  watch,
}) => {
  await page.goto('/es/who-we-are')
  await worksIn(page)
  await page.goto(senderPath('es', 'ngo-list'))
  await expect.poll(() => keptIn(page)).toEqual([...OFFLINE, '/es/intro/ngo-list', '/es/who-we-are'].sort())
  await goOffline(context, watch)
  // Also the page that was open before the worker was there.
  for (const [path, screen] of [
    ['/es/who-we-are', 'who-we-are'],
    ['/es/intro/ngo-list', 'ngo-list'],
    ['/intro/ngo-list', 'ngo-list'],
  ] as const) {
    await page.goto(path)
    await screenIs(page, screen)
  }
  await page.goto(senderPath('es', 'packages-donation'))
  await screenIs(page, 'offline')
  await expect(page.locator('h1')).toHaveText(said('es', 'offline-title'))
  await page.goto('/fr/intro/choose')
  await expect(page.locator('h1')).toHaveText(said('fr', 'offline-title'))
  // It stands at the address that was asked for, and opens it by itself once it can be had.
  expect(new URL(page.url()).pathname).toBe('/fr/intro/choose')
  await context.setOffline(false)
  await screenIs(page, 'choose')
})

test('a visitor who leaves the offline screen just as the connection comes back is not called back', async ({
  page,
  context,
  watch,
}) => {
  await page.goto('/es/who-we-are')
  await worksIn(page)
  await goOffline(context, watch)
  await page.goto(senderPath('es', 'packages-donation'))
  await screenIs(page, 'offline')
  // The connection is back between the press and the page.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: true })
    addEventListener('beforeunload', () => setTimeout(() => dispatchEvent(new Event('online'))), {
      once: true,
    })
    location.href = '/fr/intro/choose'
  })
  await expect(page.locator('h1')).toHaveText(said('fr', 'offline-title'))
  expect(new URL(page.url()).pathname).toBe('/fr/intro/choose')
})

test('of a card nothing is kept: without a connection its page says so, with one the gift is there', async ({
  page,
  context,
  site,
  watch,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await atScreen(page, 'introduction-1')
  await worksIn(page)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await goOffline(context, watch)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await screenIs(page, 'offline')
  await expect(page.locator('main')).toContainText(said('es', 'offline-lead'))
  expect(await keptIn(page)).toEqual(OFFLINE.toSorted())
  await context.setOffline(false)
  await screenIs(page, 'select-ngo')
})

test('no address that is kept holds a key, wherever a buyer and a recipient have been', async ({
  page,
  site,
}) => {
  const { privateKey, publicKey, sessionId } = await buyThroughApi(site)
  const { key } = await inviteThroughApi(site)
  await page.goto('/es/intro')
  await worksIn(page)
  const secrets = [privateKey, publicKey, sessionId, key]
  for (const path of [
    giftPath(privateKey, 'introduction-1'),
    giftPath(publicKey, 'introduction-1', 'preview'),
    `/gift-card/${privateKey.toUpperCase()}`,
    `/gift-card-volunteering/${key}/introduction`,
    `/es/${privateKey}`,
    `/${privateKey}`,
    `/es?privateKey=${privateKey}`,
    `/es/intro/ngo-list?session_id=${sessionId}`,
    `${senderPath('es', 'no-refresh/donation-success')}?session_id=${sessionId}`,
    '/lost-link',
    '/es/intro/choose',
  ])
    await page.goto(path)
  await expect.poll(() => keptIn(page)).toContain('/es/intro/choose')
  const kept = await keptIn(page)
  expect(kept.length).toBeGreaterThan(4)
  for (const secret of secrets) expect(kept.join(' ').toLowerCase()).not.toContain(secret.toLowerCase())
  // Nor does anything that is kept say one.
  const texts = await page.evaluate(async () => {
    const all: string[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) all.push((await (await cache.match(request))?.text()) ?? '')
    }
    return all.join('\n')
  })
  for (const secret of secrets) expect(texts.toLowerCase()).not.toContain(secret.toLowerCase())
})

test('after a plain no nothing is kept, and what was kept goes', async ({ page }) => {
  await page.goto('/es/who-we-are')
  await worksIn(page)
  await expect.poll(() => keptIn(page)).toContain('/es/who-we-are')
  await page.goto(senderPath('es', 'cookies-settings'))
  await action(page, 'reject').click()
  await atScreen(page, 'intro')
  await expect.poll(() => keptIn(page)).toEqual([])
  await page.goto('/es/who-we-are')
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0)
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
  await expect.poll(() => keptIn(page)).toEqual([])
})

test('the site can be put on a home screen, a card stays itself there', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site, { theme: 'ukraine' })
  await arrive(page, '/', 'reject')
  for (const language of LANGUAGES) {
    await page.goto(`/${language}/intro`)
    const href = await page.locator('link[rel="manifest"]').getAttribute('href')
    const answer = await page.request.get(href!)
    expect(answer.headers()['content-type']).toBe('application/manifest+json; charset=utf-8')
    const manifest = (await answer.json()) as {
      lang: string
      start_url: string
      icons: { src: string; sizes: string }[]
    }
    expect(manifest).toMatchObject({
      lang: language,
      start_url: `/${language}`,
      scope: '/',
      display: 'minimal-ui',
    })
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
    for (const { src, sizes } of [...manifest.icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
      const icon = await page.request.get(src)
      expect(icon.headers()['content-type']).toBe('image/png')
      const bytes = await icon.body()
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    }
  }
  expect((await page.request.get('/favicon.ico')).headers()['content-type']).toBe('image/x-icon')
  // A recipient who keeps a card opens that card again, not the site's beginning.
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await expect(page.locator('link[rel="manifest"]')).toHaveCount(0)
  await expect(page.locator('link[rel="apple-touch-icon"]')).toHaveCount(1)
})

test('the browser’s own bar wears the paper: of the card, or of the theme that the buyer chose', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site, { theme: 'ukraine' })
  const tint = page.locator('meta[name="theme-color"]')
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await expect(tint).toHaveAttribute('content', /#fff7d1|rgb\(255 247 209\)/)
  await page.goto(senderPath('es', 'choose-theme'))
  await expect(tint).toHaveAttribute('content', /#ffffff|rgb\(255 255 255\)/)
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'christmas'
  })
  await expect(tint).toHaveAttribute('content', '#fdf6f3')
})
