/** The fields for a day: their symbol is drawn in the theme's ink, and a press on it opens the browser's calendar. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { contrastRatio, THEMES } from '#domain/themes.ts'
import { volunteeringCardPath } from '#paths'
import { buyThroughApi, inviteThroughApi, newAddress } from '#tests/support/e2e/api.ts'
import { POINTERS, pressAt } from '#tests/support/e2e/first-press.ts'
import { sendForMeLink } from '#tests/support/e2e/inbox.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

// Everything moves, as it does for most visitors, and it is a place of the screen that is pressed.
test.use({ locale: LOCALES.en, hasTouch: true })

/** The last 44 px of the field, where the symbol is. */
async function symbolOf(page: Page) {
  const day = page.locator('#day')
  await day.scrollIntoViewIfNeeded()
  const { x, y, width, height } = (await day.boundingBox())!
  return { x: x + width - 44, y, width: 44, height }
}

async function acceptInvitation(page: Page, key: string): Promise<void> {
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  await page.goto(volunteeringCardPath(key, 'introduction-10'))
  await atScreen(page, 'introduction-10')
  await page.locator('[data-choice="accept"] label').click()
  await action(page, 'answer').click()
  await expect(page.locator('[data-accepted]')).toBeVisible()
}

for (const { id, background, text } of Object.values(THEMES))
  test(`the symbol is in the ink of ${id}`, async ({ page, site }) => {
    const { key } = await inviteThroughApi(site, { theme: id, language: 'en' })
    await acceptInvitation(page, key)
    const picture = await page.screenshot({ clip: await symbolOf(page), animations: 'disabled' })
    const bytes = await sharp(picture).removeAlpha().raw().toBuffer()
    const seen: number[] = []
    for (let at = 0; at < bytes.length; at += 3) {
      const colour = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!] as const
      if (colour.every((channel, index) => channel === text[index])) seen.push(at)
      // The browser's own symbol is black.
      expect(contrastRatio(colour, background)).toBeLessThanOrEqual(contrastRatio(text, background) + 0.01)
    }
    // 16 px square, without the leaf's 13 × 9.
    expect(seen.length).toBeGreaterThan(100)
  })

const isOpen = (page: Page): Promise<boolean> =>
  page.locator('#day').evaluate(field => field.matches(':open'))

for (const pointer of POINTERS) {
  test(`a press on it opens the calendar of an accepted invitation, by ${pointer}`, async ({
    page,
    site,
  }) => {
    const { key } = await inviteThroughApi(site, { language: 'en' })
    await acceptInvitation(page, key)
    const { x, y, width, height } = await symbolOf(page)
    expect(await isOpen(page)).toBe(false)
    await pressAt(page, pointer, { x: x + width / 2, y: y + height / 2 })
    await expect.poll(() => isOpen(page)).toBe(true)
  })

  test(`a press on it opens the calendar of a gift that is sent on a day, by ${pointer}`, async ({
    page,
    site,
  }) => {
    const email = newAddress()
    await buyThroughApi(site, { email, language: 'en' })
    const way = await sendForMeLink(page, email)
    await page.goto(way)
    await atScreen(page, 'send-for-me')
    const { x, y, width, height } = await symbolOf(page)
    await pressAt(page, pointer, { x: x + width / 2, y: y + height / 2 })
    await expect.poll(() => isOpen(page)).toBe(true)
  })
}
