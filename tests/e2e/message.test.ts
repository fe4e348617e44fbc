/** What a giver writes with a gift: where it is typed, where it is read, and what it cannot hold. */
import { buyThroughApi, giftPath, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { choosePackage, chooseSupport, senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen, screenIs, tryAction } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ ...STILL, viewport: { width: 320, height: 640 } })

for (const language of LANGUAGES)
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('it is typed where the sender is named, refused with a link in it, and read back before paying', async ({
      page,
    }) => {
      await page.goto(senderPath(language, 'packages-donation'))
      await screenIs(page, 'packages-donation')
      await choosePackage(page, {})
      await action(page, 'continue').click()
      await screenIs(page, 'donation-sender-name')
      await page.locator('[data-sender="anonymous"] label').click()
      await page.locator('#message').fill('look at example.org')
      await tryAction(page, 'continue')
      await expect(page.locator('#message-error')).toHaveText(
        said(language, 'sender-message-refused', { most: '300' }),
      )
      await expect(page.locator('#message')).toBeFocused()
      await expectAccessible(page, 'donation-sender-name')
      await page.locator('#message').fill('Para ti, <b>con</b> cariño')
      await action(page, 'continue').click()
      await chooseSupport(page, 30)
      await action(page, 'continue').click()
      await screenIs(page, 'donation-prepayment')
      await expect(page.locator('[data-chosen="message"] dd span').first()).toHaveText(
        'Para ti, <b>con</b> cariño',
      )
    })

    test('it is read behind the greeting, as text alone, with a way to report it', async ({ page, site }) => {
      const card = await buyThroughApi(site, { sender: 'Íñigo', message: 'Un <b>beso</b>' })
      await page.goto(giftPath(card.privateKey, 'introduction-1'))
      await atScreen(page, 'introduction-1')
      await expect(page.locator('.steps i')).toHaveCount(7)
      await action(page, 'skip').click()
      await atScreen(page, 'message')
      await expect(page.locator('.message')).toHaveText('Un <b>beso</b>')
      await expect(page.locator('main')).toContainText(
        said(language, 'message-title-named', { name: 'Íñigo' }),
      )
      await expect(page.locator('main')).toContainText('@')
      await expectAccessible(page, 'message')
      await action(page, 'skip').click()
      await atScreen(page, 'introduction-2')
      await expect(page.locator('.steps .done')).toHaveCount(3)
      // Whoever has the preview's key sees the story without it.
      await page.goto(giftPath(card.publicKey, 'message', 'preview'))
      await atScreen(page, 'introduction-2')
    })
  })

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('it is read all the same, of an invitation too', async ({ page, site }) => {
    const card = await buyThroughApi(site, { message: 'Para ti' })
    await page.goto(giftPath(card.privateKey, 'introduction-1'))
    await page.locator('[data-action="skip"]').click()
    await expect(page.locator('.message')).toHaveText('Para ti')
    const { key } = await inviteThroughApi(site, { message: 'Ven conmigo' })
    await page.goto(`/gift-card-volunteering/${key}/introduction`)
    await page.locator('[data-action="skip"]').click()
    await expect(page.locator('.message')).toHaveText('Ven conmigo')
    await page.locator('[data-action="skip"]').click()
    await expect(page).toHaveURL(/introduction-2$/)
  })
})

for (const [what, message, direction] of [
  ['the longest word', 'W'.repeat(300), 'ltr'],
  ['words from right to left', 'שלום לך, באהבה רבה', 'rtl'],
] as const)
  test(`${what} stays within the screen`, async ({ page, site }) => {
    const card = await buyThroughApi(site, { message })
    await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
    await page.goto(giftPath(card.privateKey, 'message'))
    await atScreen(page, 'message')
    await expect(page.locator('.message')).toHaveText(message)
    await expect(page.locator('.message')).toHaveCSS('direction', direction)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
