/** The last day of a card, taken into a calendar: by its recipient from the story, by its buyer from the links. */
import { readFile } from 'node:fs/promises'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { downloaded } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ ...STILL, locale: LOCALES.fr, viewport: { width: 320, height: 640 } })

for (const scripts of [true, false])
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts })

    test('its recipient keeps it from the screen that says it, and nobody from a preview', async ({
      page,
      site,
    }) => {
      const card = await buyThroughApi(site, { language: 'fr' })
      if (scripts) await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
      await page.goto(giftPath(card.privateKey, 'introduction-7'))
      await expect(page.locator('main')).toHaveAttribute('data-screen', 'introduction-7')
      if (scripts) await expectAccessible(page, 'introduction-7')
      expect(
        await page.locator('.story-calendar .link').evaluate(link => link.clientWidth <= innerWidth),
      ).toBe(true)
      const download = await downloaded(page, 'calendar')
      expect(download.suggestedFilename()).toBe('last-day.ics')
      const file = await readFile(await download.path(), 'utf8')
      expect(file).toContain('SUMMARY:Dernier jour d’une carte cadeau')
      expect(file).not.toContain(card.privateKey)
      await expect(page.locator('main')).toHaveAttribute('data-screen', 'introduction-7')
      await page.goto(giftPath(card.publicKey, 'introduction-7', 'preview'))
      await expect(page.locator('[data-action="calendar"]')).toHaveCount(0)
    })
  })

test('its buyer keeps it from the page with the links', async ({ page, site }) => {
  const { sessionId } = await buyThroughApi(site)
  await page.goto(`${senderPath('fr', 'no-refresh/donation-success')}?session_id=${sessionId}`)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
  const download = await downloaded(page, 'calendar')
  expect(download.suggestedFilename()).toBe('last-day.ics')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
})
