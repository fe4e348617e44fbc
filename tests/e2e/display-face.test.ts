import type { Page } from '@playwright/test'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES } from '#tests/support/e2e/words.ts'

const SCREENS = ['choose-theme', 'choose', 'donation-sender-name', 'how-it-works-donation', 'donate-us']

/** How many px each heading is high. */
const heights = (page: Page): Promise<number[]> =>
  page
    .locator('main :is(h1, h2)')
    .evaluateAll(headings => headings.map(heading => Math.round(heading.getBoundingClientRect().height)))

test('no heading breaks elsewhere once the display face arrives', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  let letGo = (): void => {}
  await page.route('**/*.woff2', async route => {
    await new Promise<void>(resolve => {
      letGo = resolve
    })
    await route.continue()
  })
  for (const language of LANGUAGES)
    for (const screen of SCREENS) {
      const asked = page.waitForRequest('**/*.woff2')
      await page.goto(senderPath(language, screen))
      await asked
      const before = await heights(page)
      letGo()
      await page.waitForFunction(() =>
        [...document.fonts].some(
          ({ family, status }) => family.includes('Noto Serif Display') && status === 'loaded',
        ),
      )
      expect(await heights(page), `${screen} in ${language}`).toEqual(before)
    }
})
