import { buyThroughApi, giftPath, readCard } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { middleOf } from '#tests/support/e2e/first-press.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ ...STILL, locale: LOCALES.es })

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled })

    test('who would rather not choose leaves the card to the draw, after a screen that says so', async ({
      page,
      site,
    }) => {
      const { privateKey } = await buyThroughApi(site)
      await page.goto(giftPath(privateKey))
      await page.goto(giftPath(privateKey, 'select-ngo'))
      await page.locator('[data-action="draw"]:visible').click()
      await atScreen(page, 'draw')
      await expect(page.locator('h1')).toHaveText(said('es', 'draw-title'))
      await expect(page.locator('[data-sentence]')).toContainText(/50\s€/)
      // Nothing has happened yet, and the way back leads to the list.
      await action(page, 'cancel').click()
      await atScreen(page, 'select-ngo')
      expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)

      await page.locator('[data-action="draw"]:visible').click()
      await page.locator('[data-tick]').check()
      await action(page, 'confirm').click()
      await atScreen(page, 'consumed')
      await expect(page.locator('h1')).toHaveText(said('es', 'left-title'))
      await expect(page.locator('.lead').first()).toContainText(/50\s€/)
      expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(true)
      // Whoever has an earlier page open is led there as well.
      await page.goto(giftPath(privateKey, 'draw'))
      await atScreen(page, 'consumed')
    })
  })

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'by touch, with scripts' : 'by touch, without scripts', () => {
    test.use({ javaScriptEnabled, hasTouch: true })

    test('a double tap on the link to the draw leaves nothing, wherever it stands', async ({
      page,
      site,
      watch,
    }) => {
      watch.expectFault(/status of 422/)
      const { privateKey } = await buyThroughApi(site)
      await page.goto(giftPath(privateKey))
      await page.goto(giftPath(privateKey, 'draw'))
      await atScreen(page, 'draw')
      const button = await middleOf(page, '[data-action="confirm"]')
      // The second tap falls on the button; the browser asks for the tick, and so does the server where it does not.
      await page.touchscreen.tap(button.x, button.y)
      await page.locator('form.confirm').evaluate(form => form.setAttribute('novalidate', ''))
      await page.touchscreen.tap(button.x, button.y)
      await expect(page.locator('#tick-error')).toHaveText(said('es', 'draw-tick-missing'))
      // Marked, and where the keyboard goes on.
      await expect(page.locator('[data-tick]')).toBeFocused()
      await expect(page.locator('[data-tick]')).toHaveCSS('border-width', '2px')
      const alarm = await page.locator('[data-tick]').evaluate(box => getComputedStyle(box).borderTopColor)
      await expect(page.locator('#tick-error')).toHaveCSS('color', alarm)
      const label = (await page.locator('.confirm > .tick').boundingBox())!
      expect((await page.locator('#tick-error').boundingBox())!.y).toBeGreaterThan(label.y + label.height)
      if (javaScriptEnabled) await expectAccessible(page, 'draw without its tick')
      expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
      await page.locator('[data-tick]').check()
      await action(page, 'confirm').tap()
      await atScreen(page, 'consumed')
    })
  })

test('a preview walks through it, and leaves nothing', async ({ page, site }) => {
  const { privateKey, publicKey } = await buyThroughApi(site)
  for (const key of [publicKey, privateKey]) {
    await page.goto(`/gift-card/${key}/introduction-1/preview`)
    await page.goto(`/gift-card/${key}/draw/preview`)
    await page.locator('[data-tick]').check()
    await action(page, 'confirm').click()
    await atScreen(page, 'thanks')
  }
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
})
