import type { Page } from '@playwright/test'
import { newAddress } from '#tests/support/e2e/api.ts'
import { arrive } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { arrowTo, tabTo } from '#tests/support/e2e/keyboard.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' }, locale: LOCALES.en })

const heading = (page: Page) => page.locator('main h1')

test('both polls can be answered by keyboard alone, and each screen begins at its heading', async ({
  page,
}) => {
  await arrive(page, '/poll', 'reject')
  await page.keyboard.press('Tab')
  await tabTo(page, 'input[name="donated"]')
  await page.keyboard.press('Space')
  await arrowTo(page, 'input[name="donated"][value="no"]')
  await tabTo(page, 'input[name="impact"]')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('input[name="impact"][value="1"]')).toBeChecked()
  // Tried too early, it says what is missing and stays where it is.
  await tabTo(page, '[data-action="continue"]')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-missing]')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: said('en', 'poll-1-postcard') })).toBeFocused()
  await page.keyboard.press('Enter')
  await tabTo(page, 'input[name="postcard"]')
  await page.keyboard.press('Space')
  await tabTo(page, '[data-action="continue"]')
  await page.keyboard.press('Enter')
  await atScreen(page, 'poll-2-intro')
  await expect(heading(page)).toBeFocused()
  await tabTo(page, '[data-action="accept"]')
  await page.keyboard.press('Enter')

  await atScreen(page, 'poll-2')
  await expect(heading(page)).toBeFocused()
  for (const question of ['age', 'informed', 'drink', 'traditions', 'studying']) {
    await tabTo(page, `input[name="${question}"]`)
    await page.keyboard.press('Space')
  }
  await tabTo(page, 'textarea[name="known"]')
  await page.keyboard.type('MSF')
  await tabTo(page, '[data-action="continue"]')
  await page.keyboard.press('Enter')
  await atScreen(page, 'intro')
})

test('the newsletter can be had by keyboard alone, from the panel, step by step', async ({ page, site }) => {
  const email = newAddress()
  await page.goto('/en/intro/ngo-list')
  await tabTo(page, '.page-foot [data-panel="share"]')
  await page.keyboard.press('Enter')
  await expect(page.locator('#panel-title')).toBeFocused()
  await tabTo(page, '[data-action="newsletter-submit"]')
  await page.keyboard.press('Enter')
  for (const [field, typed] of [
    ['email', email],
    ['name', 'Ana'],
    ['phone', ''],
  ] as const) {
    await expect(page.locator(`#newsletter-${field}`)).toBeFocused()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
  }
  await expect(page.locator('[data-step="4"]')).toHaveText(said('en', 'newsletter-thanks', { name: 'Ana' }))
  expect(dump(site).newsletter_subscribers?.find(row => row.email === email)?.status).toBe('pending')
  await page.keyboard.press('Escape')
  await expect(page.locator('.page-foot [data-panel="share"]')).toBeFocused()
})

test.describe('with blocked storage', () => {
  test.beforeEach(({ context }) =>
    context.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('denied', 'SecurityError')
          },
        })
    }),
  )

  test('a poll can be answered, and the newsletter asks on', async ({ page, site }) => {
    await arrive(page, '/poll', 'reject')
    await atScreen(page, 'poll-ngo')
    await page.locator('[data-question="donated"] label').first().click()
    await page.locator('[data-question="postcard"] label').first().click()
    await action(page, 'continue').click()
    await atScreen(page, 'poll-2-intro')

    const email = newAddress()
    await page.goto('/en/share')
    const go = () => action(page, 'newsletter-submit').click()
    await go()
    await page.locator('#newsletter-email').fill(email)
    await go()
    await page.locator('#newsletter-name').fill('Ana')
    await go()
    await go()
    await expect(page.locator('[data-step="4"]')).toBeVisible()
    expect(dump(site).newsletter_subscribers?.find(row => row.email === email)?.status).toBe('pending')
  })
})

test('the calm switch of the accessibility statement holds on every screen', async ({ page }) => {
  await page.goto('/en/intro/ngo-list')
  await page.locator('.page-foot [data-panel="accessibility"]').click()
  const inPanel = page.locator('dialog [data-action="calm"]')
  await inPanel.click()
  await expect(inPanel).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/en/accessibility')
  await expect(page.locator('html')).toHaveClass(/calm/)
  await expect(page.locator('main [data-action="calm"]')).toHaveAttribute('aria-pressed', 'true')
})
