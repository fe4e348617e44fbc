import { LEGAL_PAGES } from '#domain/legal/legal-texts.ts'
import { senderPath, standAtPrepayment } from '#tests/support/e2e/buyer.ts'
import { action, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'

test.use({ locale: LOCALES.es, ...STILL })

for (const language of LANGUAGES) {
  test(`every foot leads to the texts of the law in ${language}, which say who runs the site`, async ({
    page,
  }) => {
    for (const name of LEGAL_PAGES) {
      await page.goto(senderPath(language, 'ngo-list'))
      await page
        .locator('.page-foot')
        .getByRole('link', { name: said(language, `foot-${name}`), exact: true })
        .click()
      await screenIs(page, name)
      await expect(page.locator('h1')).toHaveText(said(language, `${name}-title`))
      await expect(page.locator('.identity')).toContainText('Mantén la cadena')
      await expect(page.locator('.prose h2').first()).toBeVisible()
    }
  })
}

test('a version of the terms stands under an address of its own, in every language', async ({ page }) => {
  await page.goto('/es/terms')
  const body = await page.locator('.prose').textContent()
  await action(page, 'version').click()
  const path = `/es/terms/${SEED_TERMS.terms_version}`
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  expect(await page.locator('.prose').textContent()).toBe(body)
  await expect(page.locator('.note')).toContainText('en vigor desde el')
  await action(page, 'in-force').click()
  await expect(page).toHaveURL(/\/es\/terms$/)
  await page.goto(path.replace('/es/', '/fr/'))
  await expect(page.locator('h1')).toHaveText(said('fr', 'terms-title'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

test('a version that never was leads to the text in force', async ({ page }) => {
  await page.goto('/fr/privacy/00000000000000000000')
  await expect(page).toHaveURL(/\/fr\/privacy$/)
})

test('the terms can be read from the page before the payment', async ({ page }) => {
  await standAtPrepayment(page, { language: 'es' })
  await action(page, 'terms').click()
  await screenIs(page, 'terms')
  await page.goBack()
  await screenIs(page, 'donation-prepayment')
})
