/** Whoever writes a program reads what it may call, and tries each call: with and without scripts, in three languages. */
import { LIMITS } from '#domain/limits/limits.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, said } from '#tests/support/e2e/words.ts'
import { OPERATIONS } from '#wire/public-api.ts'

test.use(STILL)

for (const language of LANGUAGES)
  test(`each call stands on the page in ${language}, and its answer below it by the keyboard`, async ({
    page,
  }) => {
    await page.goto(`/${language}/transparency`)
    await page.getByRole('link', { name: said(language, 'developers-title') }).click()
    await atScreen(page, 'developers')
    for (const { path } of OPERATIONS)
      await expect(page.getByText(path, { exact: false }).first()).toBeVisible()
    await page.getByRole('link', { name: 'GET /api/public/packages' }).press('Enter')
    await expect(page.locator('.operation [role="status"]:not(:empty)')).toHaveText('200 application/json')
    await expect(page.locator('.operation .answer:not([hidden])')).toContainText('their water')
    await expectAccessible(page, `developers in ${language}`)
  })

test('whoever wants to sell reads whom to ask for a key, and how many calls it may make', async ({
  page,
}) => {
  await page.goto('/fr/developers')
  const orders = page.locator('section', { has: page.getByText(said('fr', 'developers-about-orders-text')) })
  const rules = [LIMITS['partner-order'].uses, LIMITS['partner-read'].uses].map(uses =>
    new Intl.NumberFormat('fr').format(uses),
  )
  for (const part of ['hello@example.org', ...rules]) await expect(orders.first()).toContainText(part)
  await expect(page.locator('main')).toContainText(String(LIMITS['public-read'].uses))
})

test('a call that nobody answers says so', async ({ page, watch }) => {
  watch.expectFault(/ERR_FAILED/)
  await page.goto('/fr/developers')
  await page.route('**/api/public/status', route => route.abort())
  await page.getByRole('link', { name: 'GET /api/public/status', exact: true }).click()
  await expect(page.getByText(said('fr', 'developers-no-answer'), { exact: true })).toBeInViewport({
    ratio: 1,
  })
  await expect(page.locator('.operation .answer:not([hidden])')).toHaveCount(0)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the link of a call leads to its answer, and the first one to the whole description', async ({
    page,
  }) => {
    await page.goto('/es/developers')
    await page.getByRole('link', { name: 'GET /api/public/organisations' }).click()
    await expect(page).toHaveURL(/\/api\/public\/organisations$/)
    await expect(page.locator('body')).toContainText('"organisations"')
    await page.goto('/es/developers')
    await page.getByRole('link', { name: said('es', 'developers-document') }).click()
    await expect(page.locator('body')).toContainText('"openapi":"3.1.0"')
  })
})
