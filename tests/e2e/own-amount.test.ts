import type { Page } from '@playwright/test'
import { newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { chooseSender, chooseSupport, payWith, pressPay, senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen, screenIs, tryAction } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, ...STILL })

const own = (page: Page) => page.locator('#own-amount')
const range = (least: string, most: string) => said('es', 'package-own-fault', { least, most })

async function chooseOwn(page: Page): Promise<void> {
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await page.locator('[data-package="own"] label').first().click()
  await expect(own(page)).toBeFocused()
}

test('an amount of the buyer’s own is typed, kept over a reload, and paid to the cent', async ({
  page,
}, info) => {
  await chooseOwn(page)
  await expect(page.locator('input[value="own"]')).toBeChecked()
  // Pressed where it stands, as a finger does: a field that nobody sees takes no press.
  await page.locator('h1').click()
  await own(page).click()
  await expect(own(page)).toBeFocused()
  await expect(own(page)).toHaveCSS('opacity', '1')
  await page.keyboard.type('37')
  // What is typed is seen on the dark card; axe looks at no value of a field.
  const [ink, paper] = await own(page).evaluate(field => {
    const { color, backgroundColor } = getComputedStyle(field)
    return [color, backgroundColor]
  })
  expect(ink).not.toBe(paper)
  await expect(action(page, 'continue')).toContainText('37 €')
  await expectAccessible(page, 'an own amount')
  await page.screenshot({ path: info.outputPath('own-amount.png'), fullPage: true })
  await page.reload()
  await expect(own(page)).toHaveValue('37')
  await expect(page.locator('input[value="own"]')).toBeChecked()
  await action(page, 'continue').click()
  await chooseSender(page, 'Íñigo')
  await action(page, 'continue').click()
  await chooseSupport(page, 0)
  await action(page, 'continue').click()
  await atScreen(page, 'donation-prepayment')
  await expect(page.locator('[data-chosen="packages-donation"]')).toContainText(
    said('es', 'package-own-title'),
  )
  await expect(page.locator('[data-price="total"] dd')).toHaveText('37,00 €')
  await pressPay(page)
  await payWith(page, '4242 4242 4242 4242', newAddress())
  await screenIs(page, 'donation-success')
  await expect(page.locator('main')).toContainText('37 €')
})

test('an amount outside the range is refused with the range, in the currency that is shown', async ({
  page,
}) => {
  await chooseOwn(page)
  for (const wrong of ['', '1', '501', '12,50', 'diez']) {
    await own(page).fill(wrong)
    await tryAction(page, 'continue')
    await expect(page.locator('#package-missing')).toHaveText(range('2 €', '500 €'))
    await expect(page.locator('input[value="own"]')).toBeChecked()
  }
  await page.locator('[data-action="currency"]').click()
  await page.locator('input[name="currency"][value="GBP"]').check({ force: true })
  await tryAction(page, 'continue')
  await expect(page.locator('#package-missing')).toHaveText(range('2 £', '500 £'))
  await own(page).fill('500')
  await expect(page.locator('#package-missing')).toBeEmpty()
  await expect(action(page, 'continue')).toContainText('500 £')
  // Another package takes its place, and the other way round.
  await page.locator('[data-package="their water"] label').click()
  await expect(action(page, 'continue')).toContainText('50 £')
  await own(page).evaluate(input => (input as HTMLInputElement).blur())
  await page.locator('[data-package="own"] label').first().click()
  await expect(action(page, 'continue')).toContainText('500 £')
})
