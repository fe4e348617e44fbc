import type { Page } from '@playwright/test'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.tagName)
const heading = (page: Page) => page.locator('main h1')

test('an arrival leaves the focus alone, also where the entry leads on', async ({ page }) => {
  await page.goto('/')
  await atScreen(page, 'cookies-settings')
  expect(await focused(page)).toBe('BODY')
  await page.goto(senderPath('es', 'packages-donation'))
  await screenIs(page, 'packages-donation')
  expect(await focused(page)).toBe('BODY')
})

test('every change of screen brings the focus to the new heading, without an outline or a jump', async ({
  page,
}) => {
  await page.goto('/')
  await atScreen(page, 'cookies-settings')
  const arrived = async (screen: string): Promise<void> => {
    await screenIs(page, screen)
    await expect(heading(page), screen).toBeFocused()
    expect(await heading(page).evaluate(h1 => getComputedStyle(h1).outlineStyle)).toBe('none')
    expect(await page.evaluate(() => scrollY)).toBe(0)
  }
  await action(page, 'reject-optional').click()
  await arrived('intro')
  await action(page, 'skip').click()
  await arrived('choose-theme')
  await page.locator('[data-theme-choice="ukraine"] label').click()
  await action(page, 'continue').click()
  await arrived('choose')
  await page.locator('[data-gift-kind="donation"] label').click()
  await action(page, 'continue').click()
  await arrived('gift-card-design-donation')
  await action(page, 'continue').click()
  await arrived('how-it-works-donation')
  await action(page, 'continue').click()
  await arrived('ngo-list')
  await action(page, 'continue').click()
  await arrived('donation-sender-name')
  await page.locator('[data-sender="anonymous"] label').click()
  await action(page, 'continue').click()
  await arrived('packages-donation')
  await page.locator('[data-package="their water"] label').click()
  await action(page, 'continue').click()
  await arrived('donation-packages-support-amount')
  await action(page, 'continue').click()
  await arrived('donation-prepayment')
  await page.locator('details.switch summary').click()
  await page.locator('a[data-language="fr"]').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await arrived('donation-prepayment')
})

test('from the heading Tab goes on into the screen, Shift+Tab back to the page’s own controls', async ({
  page,
}) => {
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await action(page, 'continue').click()
  await atScreen(page, 'packages-donation')
  await expect(heading(page)).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => Boolean(document.activeElement?.closest('main form')))).toBe(true)
})

test('a reload and Back leave the focus alone', async ({ page }) => {
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await action(page, 'continue').click()
  await screenIs(page, 'packages-donation')
  await page.reload()
  await screenIs(page, 'packages-donation')
  expect(await focused(page)).toBe('BODY')
  await page.goBack()
  await atScreen(page, 'how-it-works-donation')
  expect(await focused(page)).not.toBe('H1')
})
