import type { Page } from '@playwright/test'
import { newAddress, readCard } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { arrowTo, tabTo } from '#tests/support/e2e/keyboard.ts'
import { amountsShown, holdHint, STORY } from '#tests/support/e2e/recipient.ts'
import { atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es })

test('a card is bought and given by keyboard alone', async ({ page, visitor, site }) => {
  const { keyboard } = page

  await test.step('the packages, with a first Continue that says what is missing', async () => {
    await page.goto(senderPath('es', 'packages-donation'))
    await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
    await tabTo(page, '[data-action="continue"]')
    await keyboard.press('Enter')
    await expect(page.locator('#package-missing')).not.toBeEmpty()
    await keyboard.press('Shift+Tab')
    await page.reload()
    await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
    await tabTo(page, 'input[name="package"]')
    await keyboard.press('Space')
    await arrowTo(page, 'input[value="their water"]')
    await tabTo(page, '[data-action="continue"]')
    await keyboard.press('Enter')
  })

  await test.step('the name, typed where the focus goes by itself', async () => {
    await screenIs(page, 'donation-sender-name')
    await tabTo(page, 'input[name="sender"]')
    await keyboard.press('Space')
    await arrowTo(page, 'input[value="own"], #sender-name')
    await expect(page.locator('#sender-name')).toBeFocused()
    await keyboard.type('Íñigo')
    await keyboard.press('Enter')
  })

  await test.step('the support, three steps of the slider', async () => {
    await screenIs(page, 'donation-packages-support-amount')
    await tabTo(page, '#support')
    for (let step = 0; step < 3; step++) await keyboard.press('ArrowRight')
    await expect(page.locator('[data-price="total"] dd')).toHaveText('65,00 €')
    await tabTo(page, '[data-action="continue"]')
    await keyboard.press('Space')
  })

  await test.step('the payment', async () => {
    await screenIs(page, 'donation-prepayment')
    await tabTo(page, '[data-consent="fulfilment"]')
    await keyboard.press('Space')
    await tabTo(page, '[data-action="pay"]')
    await keyboard.press('Enter')
    await atScreen(page, 'hosted-payment')
    for (const [field, text] of [
      ['email', newAddress()],
      ['card_number', '4242424242424242'],
      ['expiry', '1240'],
      ['cvc', '123'],
    ] as const) {
      await tabTo(page, `[name="${field}"]`)
      await keyboard.type(text)
    }
    await keyboard.press('Enter')
  })

  let secret = ''
  await test.step('the gift’s link, revealed; the focus stays where it was', async () => {
    await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
    await tabTo(page, '[data-action="reveal"]')
    await keyboard.press('Enter')
    await expect(page.locator('[data-action="reveal"]')).toBeFocused()
    secret = (await page.locator('[data-secret]').textContent()) ?? ''
  })

  const recipient = await visitor({ locale: LOCALES.es })
  await holdHint(recipient)
  await test.step('the story, by Skip', async () => {
    await recipient.goto(secret)
    for (const [screen] of STORY) {
      await atScreen(recipient, screen)
      await tabTo(recipient, '[data-action="skip"]')
      await recipient.keyboard.press('Enter')
    }
  })

  await test.step('the split: one press adds one, a typed number counts, the rest goes at once', async () => {
    await screenIs(recipient, 'select-ngo')
    await tabTo(recipient, '[data-action="show-list"]')
    await recipient.keyboard.press('Enter')
    await tabTo(recipient, '[data-ngo="ngo-msf"] [data-action="add"]')
    await recipient.keyboard.press('Space')
    await recipient.keyboard.press('Enter')
    await expect(recipient.locator('[data-ngo="ngo-msf"] input')).toHaveValue('2')
    await tabTo(recipient, '[data-ngo="ngo-cerf"] input')
    await recipient.keyboard.type('8')
    await tabTo(recipient, '[data-ngo="ngo-irc"] [data-action="add"]')
    await recipient.keyboard.press('Enter')
    await tabTo(recipient, '[data-action="rest"]')
    await recipient.keyboard.press('Enter')
    await expect(recipient.locator('[data-ngo="ngo-irc"] input')).toHaveValue('40')
    await tabTo(recipient, '[data-action="continue"]')
    await recipient.keyboard.press('Enter')
  })

  await test.step('the confirm view takes the focus, and its button gives the gift', async () => {
    await expect(recipient.locator('.confirm h1')).toBeFocused()
    await tabTo(recipient, '[data-action="confirm"]')
    await recipient.keyboard.press('Enter')
    await atScreen(recipient, 'thanks')
    expect(await amountsShown(recipient)).toEqual({
      'ngo-msf': '2,00 €',
      'ngo-cerf': '8,00 €',
      'ngo-irc': '40,00 €',
    })
    expect((await readCard(site, secret.split('/')[4] ?? '')).giftcard?.consumed).toBe(true)
  })
})

test('the language menu opens by keyboard, closes on Escape, and gives the focus back', async ({ page }) => {
  await page.goto(senderPath('es', 'packages-donation'))
  await opensAndCloses(page)
})

test('the language menu closes on Escape before any file of code has come', async ({ page }) => {
  await page.route('**/_astro/*.js', () => {})
  await page.goto(senderPath('es', 'packages-donation'))
  await opensAndCloses(page)
})

/** Opens the language menu by keyboard, goes on to its first language, and closes it with Escape. */
async function opensAndCloses(page: Page): Promise<void> {
  await tabTo(page, 'details.switch summary')
  await page.keyboard.press('Enter')
  await expect(page.locator('details.switch')).toHaveAttribute('open', '')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await expect(page.locator('details.switch')).not.toHaveAttribute('open')
  await expect(page.locator('details.switch summary')).toBeFocused()
}

test('each screen of the story and of the split gives its heading the focus', async ({ page }) => {
  await holdHint(page)
  await page.goto('/gift-card/giftcard-try/introduction-1/final')
  await tabTo(page, '[data-action="skip"]')
  await page.keyboard.press('Enter')
  await atScreen(page, 'introduction-2')
  await expect(page.locator('main h1')).toBeFocused()
  await page.goto('/gift-card/giftcard-try/select-ngo/final')
  await screenIs(page, 'select-ngo')
  await tabTo(page, '[data-action="show-list"]')
  await page.keyboard.press('Enter')
  await expect(page.locator('section.split h1')).toBeFocused()
  await tabTo(page, '[data-action="share-evenly"]')
  await page.keyboard.press('Enter')
  await tabTo(page, '[data-action="continue"]')
  await page.keyboard.press('Enter')
  await expect(page.locator('section.confirm h1')).toBeFocused()
  await tabTo(page, '[data-action="cancel"]')
  await page.keyboard.press('Enter')
  await expect(page.locator('section.split h1')).toBeFocused()
})
