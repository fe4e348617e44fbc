import { buyThroughApi, giftPath, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ javaScriptEnabled: false, locale: LOCALES.es })

test('the entry reads and leads to the packages, which read and lead to everything that reads', async ({
  page,
}) => {
  await page.goto('/')
  await atScreen(page, 'entry')
  await expect(page.locator('h1')).toHaveText(said('es', 'entry-title'))
  for (const screen of ['entry', 'intro'] as const) {
    await atScreen(page, screen)
    await action(page, 'continue').click()
  }
  await atScreen(page, 'choose-theme')
  await expect(page.locator('.needs-script')).toHaveText(said('es', 'common-needs-script'))
  await action(page, 'packages').click()

  await atScreen(page, 'packages-donation')
  await expect(page.locator('[data-package="their water"] .amount')).toHaveText('50 €')
  await expect(page.locator('.needs-script')).toHaveText(said('es', 'common-needs-script'))
  await expect(action(page, 'continue')).toBeHidden()
  await expect(page.locator('[data-package="try"]')).toBeVisible()
  await expect(page.locator('[data-package="free"]')).toBeHidden()
  for (const [name, screen] of [
    ['packages-donation-ngo-list', 'ngo-list'],
    ['panel-who-we-are', 'who-we-are'],
    ['panel-share', 'share'],
    ['panel-accessibility', 'accessibility'],
    ['panel-cookies', 'cookies-settings'],
  ] as const) {
    await page.getByRole('link', { name: said('es', name), exact: true }).click()
    await atScreen(page, screen)
    await expect(page.locator('h1')).toBeVisible()
    await page.goBack()
  }
})

test('a screen that only scripts can fill says so, and shows no empty rows', async ({ page }) => {
  for (const screen of ['donation-packages-support-amount', 'donation-prepayment']) {
    await page.goto(senderPath('es', screen))
    await expect(page.locator('.needs-script')).toBeVisible()
    await expect(page.locator('input, dt')).not.toHaveCount(0)
    for (const empty of await page.locator('main input, main dt, main button').all())
      await expect(empty).toBeHidden()
  }
})

test('the list of organisations reads, with a page of each, and leads back to the packages', async ({
  page,
}) => {
  await page.goto(senderPath('es', 'ngo-list'))
  await expect(page.locator('li[data-ngo]')).toHaveCount(7)
  await expect(page.locator('li[data-ngo] a[href^="https://"]')).toHaveCount(7)
  await action(page, 'continue').click()
  await atScreen(page, 'packages-donation')
})

test('another language is one link away, and is remembered', async ({ page }) => {
  await page.goto('/who-we-are?lang=fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await page.goto('/who-we-are')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await page.locator('details.switch summary').click()
  await page.locator('a[data-language="en"]').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await atScreen(page, 'who-we-are')
})

for (const screen of [
  'choose-theme',
  'choose',
  'donation-sender-name',
  'donation-packages-support-amount',
  'donation-prepayment',
  'free-gift-card-campaign',
  'poll-ngo',
  'poll-2',
]) {
  test(`${screen} says plainly that it needs scripts`, async ({ page }) => {
    await page.goto(senderPath('es', screen))
    await expect(page.locator('.needs-script')).toHaveText(said('es', 'common-needs-script'))
    await expect(page.locator('h1').first()).toBeVisible()
  })
}

test('the page after a payment says where the links are, and waits for nothing', async ({ page }) => {
  for (const screen of ['donation-success', 'volunteering-success']) {
    await page.goto(`${senderPath('es', `no-refresh/${screen}`)}?session_id=cs_test_1`)
    await expect(page.locator('h1:visible')).toHaveText(said('es', 'success-without-scripts-title'))
    await expect(page.locator('noscript .lead')).toHaveText(said('es', 'success-without-scripts-text'))
    await expect(page).toHaveTitle(new RegExp(`^${said('es', 'success-title')} · `))
    await expect(page.locator('.checkout')).toBeHidden()
  }
})

test('accessibility reads, and offers no switch that would do nothing; neither does the newsletter', async ({
  page,
}) => {
  await page.goto('/es/accessibility')
  await expect(page.locator('main h2')).not.toHaveCount(0)
  await expect(page.locator('[data-action="calm"]:visible')).toHaveCount(0)
  await page.goto('/es/share')
  await expect(page.locator('[data-newsletter]')).toBeHidden()
})

test('a payment that was not made leads back by a link', async ({ page }) => {
  await page.goto(senderPath('es', 'no-refresh/donation-cancel'))
  await action(page, 'continue').click()
  await atScreen(page, 'packages-donation')
})

test('a used card says when it was used and not to whom it went, and leads on', async ({ page, site }) => {
  const card = await buyThroughApi(site)
  await redeemThroughApi(site, card.privateKey, { 'ngo-msf': 1 })
  await page.goto(giftPath(card.privateKey))
  await atScreen(page, 'consumed')
  await expect(page.locator('main .lead')).toHaveText(/\d{4}/)
  await expect(page.locator('[data-allocation]')).toHaveCount(0)
  await action(page, 'continue').click()
  await atScreen(page, 'entry')
})

test('a card that doesn’t exist says so, and leads on', async ({ page, watch }) => {
  watch.expectFault(/status of 404/)
  await page.goto(giftPath('a'.repeat(32)))
  await atScreen(page, 'doesnt-exist')
  await expect(page.locator('h1')).toHaveText(said('es', 'doesnt-exist-title'))
  await action(page, 'continue').click()
  await atScreen(page, 'entry')
})
