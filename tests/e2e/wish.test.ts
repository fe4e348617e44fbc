import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ ...STILL, locale: LOCALES.es, javaScriptEnabled: false })

test('a preview, by either key, says that no wish is kept', async ({ page, site }) => {
  const { privateKey, publicKey } = await buyThroughApi(site)
  for (const key of [publicKey, privateKey]) {
    await page.goto(giftPath(key, 'wish', 'preview'))
    await expect(page.locator('.note')).toHaveText(said('es', 'wish-preview'))
    await page.locator('#name').fill('Oxfam')
    await action(page, 'send-wish').click()
    await expect(page.locator('h1')).toHaveText(said('es', 'wish-preview-title'))
    await expect(page.locator('[data-noted]')).toHaveText(said('es', 'wish-preview'))
  }
})

test('who misses an organisation says so, without scripts, and goes on to the list', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await action(page, 'wish').click()
  await atScreen(page, 'wish')
  await page.locator('#hint').fill('France')
  // The browser itself would ask for the name.
  await page.locator('form.confirm').evaluate(form => form.setAttribute('novalidate', ''))
  await action(page, 'send-wish').click()
  await expect(page.locator('#name-error')).toHaveText(said('es', 'wish-name-missing'))
  await expect(page.locator('#hint')).toHaveValue('France')
  await page.locator('#name').fill('<b>Médecins</b> du Monde')
  await action(page, 'send-wish').click()
  await expect(page.locator('h1')).toHaveText(said('es', 'wish-noted-title'))
  // What was written is text.
  await expect(page.locator('[data-noted]')).toContainText('<b>Médecins</b> du Monde')
  // The giver holds the same key: nobody is shown it later.
  await action(page, 'another').click()
  await expect(page.locator('#name')).toHaveValue('')
  await action(page, 'cancel').click()
  await atScreen(page, 'select-ngo')
})
