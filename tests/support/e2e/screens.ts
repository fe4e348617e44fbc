import { type Download, expect, type Locator, type Page } from '@playwright/test'

/** The control with this `data-action`. */
export const action = (page: Page, name: string): Locator => page.locator(`[data-action="${name}"]`)

/** The screen has come, and its modules have run: they do before a page has loaded. */
export async function atScreen(page: Page, screen: string): Promise<void> {
  await expect(page.locator('main')).toHaveAttribute('data-screen', screen)
  await page.waitForLoadState()
}

/** The screen has come and its scripts listen. */
export async function screenIs(page: Page, screen: string): Promise<void> {
  await atScreen(page, screen)
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
}

/** Tries a control that says it is not ready: a click would wait until it is. */
export const tryAction = (page: Page, name: string): Promise<void> => action(page, name).press('Enter')

/** What is drawn for a visitor is drawn behind all else that the machine does, and the product gives it so long. */
const DRAWN_WITHIN_MS = 120_000

/** The file that a control gives to keep. */
export async function downloaded(page: Page, name: string): Promise<Download> {
  const downloading = page.waitForEvent('download', { timeout: DRAWN_WITHIN_MS })
  // A press that sends a form ends with its answer.
  const [file] = await Promise.all([downloading, action(page, name).click({ timeout: DRAWN_WITHIN_MS })])
  return file
}

/** Keeps the modules of a page from running: it stands as it was delivered. */
export const holdModules = (page: Page, url: string): Promise<unknown> =>
  page.route(url, async route => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/<script type="module".*?<\/script>/gs, '')
    await route.fulfill({ response, body })
  })

/** What statistics come after: the page has nothing left to do, or was busy for as long as they wait. */
export const idle = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise(resolve => requestIdleCallback(() => setTimeout(resolve, 300), { timeout: 5_000 })),
  )
