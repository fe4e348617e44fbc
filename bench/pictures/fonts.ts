import type { Page } from '@playwright/test'

/** Waits for the display face, which comes after the first paint: a picture shows the page as it is read. */
export async function facesAreThere(page: Page): Promise<void> {
  await page.waitForFunction(() => document.fonts.check('500 1rem "Noto Serif Display"'))
  await page.evaluate(() => document.fonts.ready)
}
