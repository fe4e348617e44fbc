import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { senderPath, standAtPrepayment } from '#tests/support/e2e/buyer.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

/** Opens a page and presses these controls, in turn, when all of it is there but none of its scripts has run. */
async function pressEarly(page: Page, path: string, ...controls: string[]): Promise<void> {
  await page.addInitScript(
    ([path, selectors]) => {
      if (location.pathname !== path) return
      document.addEventListener(
        'readystatechange',
        () => {
          for (const selector of selectors) document.querySelector<HTMLElement>(selector)?.click()
        },
        { once: true },
      )
    },
    [path, controls] as const,
  )
  await page.goto(path)
}

test('an answer to the consent question is taken', async ({ page }) => {
  await pressEarly(page, senderPath('es', 'cookies-settings'), '[data-action="reject"]')
  await atScreen(page, 'intro')
  expect(await page.evaluate(() => localStorage.getItem('gift:consent'))).toContain('"reject"')
})

test('a switch is turned, and stays', async ({ page }) => {
  await pressEarly(page, senderPath('es', 'cookies-settings'), 'li:last-child > label')
  await expect(page.getByRole('switch').nth(2)).toBeChecked()
})

test('a theme is chosen, and Continue leads on', async ({ page }) => {
  await pressEarly(
    page,
    senderPath('es', 'choose-theme'),
    '[data-theme-choice="lebanon"] label',
    '[data-action="continue"]',
  )
  await atScreen(page, 'choose')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'lebanon')
})

test('a package is chosen, and Continue leads on', async ({ page }) => {
  await pressEarly(
    page,
    senderPath('es', 'packages-donation'),
    '[data-package="their water"] label',
    '[data-action="continue"]',
  )
  await atScreen(page, 'donation-sender-name')
  expect(page.url()).not.toContain('?')
})

test('a Continue that is not ready says what is missing', async ({ page }) => {
  await pressEarly(page, senderPath('es', 'packages-donation'), '[data-action="continue"]')
  await expect(page.locator('#package-missing')).toHaveText(said('es', 'packages-donation-missing'))
})

test('who the gift is from is chosen', async ({ page }) => {
  await page.goto(senderPath('es', 'ngo-list'))
  await page.evaluate(() => localStorage.setItem('gift:package', 'their water'))
  await pressEarly(page, senderPath('es', 'donation-sender-name'), '[data-sender="own"] label')
  await expect(page.locator('#sender-name')).toBeFocused()
})

test('the payment opens', async ({ page }) => {
  await standAtPrepayment(page, { language: 'es' })
  // Where the gift has to be agreed to, both presses count.
  await pressEarly(
    page,
    senderPath('es', 'donation-prepayment'),
    '[data-consent="fulfilment"]',
    '[data-action="pay"]',
  )
  await atScreen(page, 'hosted-payment')
})

test('the payment opens at a press that React takes before it knows what was chosen', async ({ page }) => {
  await standAtPrepayment(page, { language: 'es' })
  // Where nothing has to be agreed to, so that one press is enough.
  await page.evaluate(() => localStorage.setItem('gift:currency', 'USD'))
  await page.addInitScript(() => {
    // React works in turns: what it rendered listens a turn before it is told what the browser has kept.
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (this: MessagePort, ...said: [unknown]) {
      setTimeout(() => post.apply(this, said), 300)
    }
    const look = (): void => {
      const button = document.querySelector<HTMLElement>('[data-action="pay"]')
      const isRendered = button && Object.keys(button).some(key => key.startsWith('__reactProps'))
      if (isRendered) button.click()
      else requestAnimationFrame(look)
    }
    look()
  })
  await page.goto(senderPath('es', 'donation-prepayment'))
  await atScreen(page, 'hosted-payment')
})

for (const motion of ['reduce', 'no-preference'] as const) {
  const waits = motion === 'no-preference'
  test(`a tap on the story ${waits ? 'counts for nothing before its wait' : 'leads on where nothing waits'}`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion: motion })
    const { privateKey } = await buyThroughApi(site)
    await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
    for (const control of ['main', 'main [data-action="continue"]']) {
      await pressEarly(page, giftPath(privateKey, 'introduction-2'), control)
      if (waits) await action(page, 'skip').click()
      // Skip leads one on from where the tap has left the visitor.
      await atScreen(page, 'introduction-4')
    }
  })
}

test('Skip is taken', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  await pressEarly(page, giftPath(privateKey, 'introduction-2'), '[data-action="skip"]')
  await atScreen(page, 'introduction-4')
})
