import type { Page } from '@playwright/test'

/** Waits for the display face, which comes after the first paint: a picture shows the page as it is read. */
export async function facesAreThere(page: Page): Promise<void> {
  // Not `check`: of a face that nobody has named yet it says that it is there.
  await page.waitForFunction(() =>
    [...document.fonts].some(
      ({ family, status }) => family.includes('Noto Serif Display') && status === 'loaded',
    ),
  )
  await page.evaluate(() => document.fonts.ready)
}
