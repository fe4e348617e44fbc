import type { Page } from '@playwright/test'
import { autoDonateAt } from '#domain/card/term.ts'
import { lastDayBefore } from '#domain/dates.ts'
import { newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import {
  agree,
  buyACard,
  choosePackage,
  chooseSender,
  chooseSupport,
  goToPrepayment,
  payWith,
  pressPay,
  senderPath,
  standAtPrepayment,
} from '#tests/support/e2e/buyer.ts'
import { blockStorage } from '#tests/support/e2e/inviter.ts'
import { action, atScreen, screenIs, tryAction } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { FOR_GERMAN } from '#tests/support/languages.ts'

test.use({ locale: LOCALES.es, ...STILL })

const reopen = async (page: Page, screen: string): Promise<void> => {
  await page.goto(senderPath('es', screen))
  await screenIs(page, screen)
}

test('a reload keeps the choice of each screen', async ({ page }) => {
  await reopen(page, 'packages-donation')
  await choosePackage(page, { currency: 'GBP' })
  await page.reload()
  await expect(page.locator('input[value="their water"]')).toBeChecked()
  await expect(action(page, 'continue')).toContainText('50 £')
  await action(page, 'continue').click()

  await chooseSender(page, 'Íñigo')
  await page.reload()
  await screenIs(page, 'donation-sender-name')
  await expect(page.locator('#sender-name')).toHaveValue('Íñigo')
  await action(page, 'continue').click()

  await chooseSupport(page, 30)
  await page.reload()
  await screenIs(page, 'donation-packages-support-amount')
  await expect(page.locator('#support')).toHaveValue('30')
  await action(page, 'continue').click()

  await screenIs(page, 'donation-prepayment')
  // On a phone the total stands below the first view.
  await expect(action(page, 'pay')).toBeInViewport({ ratio: 1 })
  await expect(action(page, 'pay')).toHaveText(
    said('es', 'donation-prepayment-pay-amount', { amount: '65 £' }),
  )
  await page.reload()
  await expect(page.locator('[data-price="total"] dd')).toHaveText('65,00 £')
})

test('Back shows each screen as it was left', async ({ page }) => {
  await goToPrepayment(page, { language: 'es', sender: 'Íñigo', support: 30 })
  await page.goBack()
  await screenIs(page, 'donation-packages-support-amount')
  await expect(page.locator('#support')).toHaveValue('30')
  await page.goBack()
  await screenIs(page, 'donation-sender-name')
  await expect(page.locator('#sender-name')).toHaveValue('Íñigo')
  await page.goBack()
  await screenIs(page, 'packages-donation')
  await expect(page.locator('input[value="their water"]')).toBeChecked()
})

test('a screen whose earlier choices are missing sends to the first missing one', async ({ page }) => {
  for (const screen of [
    'donation-sender-name',
    'donation-packages-support-amount',
    'donation-prepayment',
  ] as const) {
    await page.goto(senderPath('es', screen))
    await atScreen(page, 'packages-donation')
  }
  await choosePackage(page, {})
  for (const screen of ['donation-packages-support-amount', 'donation-prepayment']) {
    await page.goto(senderPath('es', screen))
    await atScreen(page, 'donation-sender-name')
  }
  await chooseSender(page)
  await page.goto(senderPath('es', 'donation-prepayment'))
  await atScreen(page, 'donation-packages-support-amount')
  await chooseSupport(page, 0)
  await action(page, 'continue').click()
  await atScreen(page, 'donation-prepayment')
})

test('a Continue that is not ready says what is missing, and asks again for a name of blanks', async ({
  page,
}) => {
  await reopen(page, 'packages-donation')
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await expect(action(page, 'continue')).toHaveAttribute('aria-disabled', 'true')
  await tryAction(page, 'continue')
  await expect(page.locator('#package-missing')).toHaveText(said('es', 'packages-donation-missing'))
  await choosePackage(page, {})
  await expect(page.locator('#package-missing')).toBeEmpty()
  await action(page, 'continue').click()

  await screenIs(page, 'donation-sender-name')
  await tryAction(page, 'continue')
  await expect(page.locator('#sender-missing')).toHaveText(said('es', 'donation-sender-name-missing'))
  await chooseSender(page, '   ')
  await tryAction(page, 'continue')
  await expect(page.locator('#sender-name-error')).toContainText(said('es', 'mission-decide-later-error'))
  await expect(page.locator('#sender-name')).toBeFocused()
  await page.locator('#sender-name').fill('Ana')
  await expect(page.locator('#sender-name-error')).toBeEmpty()
  await action(page, 'continue').click()
  await atScreen(page, 'donation-packages-support-amount')
})

test('a buyer names who gets an unused card, and reads until when it can be used', async ({ page }) => {
  await goToPrepayment(page, { language: 'es', sender: 'Íñigo', support: 30 })
  const row = page.locator('[data-chosen="fallback"]')
  await expect(row).toContainText(said('es', 'fallback-chance'))
  await expect(row).toContainText('12 meses')
  await row.locator('[data-action="change"]').click()
  await screenIs(page, 'donation-packages-support-amount')
  await page.locator('#fallback').selectOption('ngo-msf')
  await action(page, 'continue').click()
  await screenIs(page, 'donation-prepayment')
  await expect(row).toContainText('Médicos Sin Fronteras')
  const pressedAt = Date.now()
  await pressPay(page)
  await payWith(page, '4242 4242 4242 4242', newAddress())
  const lastDay = page.locator('[data-last-day]')
  await expect(lastDay).toBeVisible()
  // Midnight may come between the press and the page.
  const days = [pressedAt, Date.now()].map(at => lastDayBefore(autoDonateAt(at), 'es'))
  await expect(lastDay).toContainText(new RegExp(days.join('|')))
  // The next gift begins with chance.
  await page.goto(senderPath('es', 'donation-packages-support-amount'))
  await screenIs(page, 'donation-packages-support-amount')
  await expect(page.locator('#fallback')).toHaveValue('')
})

test('switching the language keeps the screen, every choice and the price', async ({ page }) => {
  await goToPrepayment(page, { language: 'es', sender: 'Íñigo', support: 30 })
  for (const [language, total] of [
    ['en', '€65.00'],
    ['fr', '65,00 €'],
    ['es', '65,00 €'],
  ] as const) {
    await page.locator('details.switch summary').click()
    await page.locator(`a[data-language="${language}"]`).click()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await screenIs(page, 'donation-prepayment')
    await expect(page.locator('[data-price="total"] dd')).toHaveText(total)
    await expect(page.locator('[data-chosen="donation-sender-name"]')).toContainText('Íñigo')
  }
  await page.goto('/intro/ngo-list')
  await expect(page.locator('html')).toHaveAttribute('lang', 'es')
})

test('an address without a language is answered in the visitor’s own, without a redirect', async ({
  site,
}) => {
  for (const [headers, language] of [
    [{ 'Accept-Language': 'fr-CA,fr;q=0.9' }, 'fr'],
    [{ 'Accept-Language': 'de-AT' }, FOR_GERMAN],
    [{ 'Accept-Language': 'ja, es-MX;q=0.5, en;q=0.4' }, 'es'],
    [{ 'Accept-Language': 'fr', Cookie: 'lang=es' }, 'es'],
    [{}, 'en'],
  ] as const) {
    for (const path of ['/', '/intro/packages-donation', '/who-we-are', '/anuncio']) {
      const answer = await fetch(site.url + path, { headers, redirect: 'manual' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('Cache-Control')).toContain('private')
      expect(await answer.text()).toContain(`<html lang="${language}"`)
    }
  }
})

test('with blocked storage a card can still be bought', async ({ page, context }) => {
  await blockStorage(context)
  const email = newAddress()
  const { secret } = await buyACard(page, { language: 'es', sender: 'Íñigo', support: 30, email })
  await page.goto(secret)
  await atScreen(page, 'introduction-1')
  await expect(page.locator('h1')).toHaveText(said('es', 'introduction-1-title-named', { name: 'Íñigo' }))
})

for (const [where, prepare] of [
  ['', async () => {}],
  [', with blocked storage too', blockStorage],
] as const)
  test(`a price stays as it was first seen, whatever language follows${where}`, async ({ page, context }) => {
    await prepare(context)
    await page.goto(senderPath('es', 'packages-donation'))
    const prices = page.locator('[data-package] [data-amount]')
    await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
    const figures = async () => (await prices.allTextContents()).map(text => text.replace(/\D/g, '')).sort()
    const seen = await figures()
    expect(seen).toContain('50')
    for (const language of ['en', 'fr'] as const) {
      await page.locator('details.switch summary').click()
      await page.locator(`a[data-language="${language}"]`).click()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
      expect(await figures()).toEqual(seen)
    }
  })

test('a price stays as it was first seen by whoever goes on before anything else has come', async ({
  page,
  context,
}) => {
  const later: string[] = []
  await context.route(/choosing\.[^/]*\.js/, async route => {
    if (page.url().includes('/es/')) later.push(route.request().url())
    else await route.continue()
  })
  await page.goto(senderPath('es', 'packages-donation'))
  const cards = page.locator('[data-cards]')
  const figures = async () =>
    (await page.locator('[data-package] [data-amount]').allTextContents())
      .map(text => text.replace(/\D/g, ''))
      .sort()
  await expect(cards).toHaveAttribute('data-ready', '')
  const seen = await figures()
  await expect.poll(() => later.length).toBe(1)
  await page.locator('details.switch summary').click()
  await page.locator('a[data-language="en"]').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(cards).toHaveAttribute('data-ready', '')
  expect(await figures()).toEqual(seen)
})

test('two tabs do not spoil each other: each pays what it shows, whatever the other chooses', async ({
  page,
  context,
}) => {
  await standAtPrepayment(page, { language: 'es', support: 30 })
  const total = page.locator('[data-price="total"] dd')
  await expect(total).toHaveText('65,00 €')

  const other = await context.newPage()
  await other.goto(senderPath('es', 'packages-donation'))
  await choosePackage(other, { packageId: 'their food' })
  await expect(action(other, 'continue')).toContainText('20 €')
  // Nor does a reload bring the other's order.
  await page.reload()
  await screenIs(page, 'donation-prepayment')
  await expect(page.locator('[data-chosen="packages-donation"]')).toContainText(
    said('es', 'package-water-title'),
  )
  await expect(total).toHaveText('65,00 €')

  const asked = page.waitForRequest('**/gateway*')
  await pressPay(page)
  expect((await asked).postDataJSON()).toMatchObject({
    nom_producte: 'their water',
    amount: 5_000,
    support_amount_cents: 1_500,
  })
  await atScreen(page, 'hosted-payment')
  await action(other, 'continue').click()
  await screenIs(other, 'donation-sender-name')
  await action(other, 'continue').click()
  await screenIs(other, 'donation-packages-support-amount')
  await expect(other.locator('#support')).toHaveValue('0')
})

test('who gives is asked from 100 euros on, and is kept by no browser', async ({ page }) => {
  await standAtPrepayment(page, { language: 'es', packageId: 'their homes', support: 30 })
  await expect(page.locator('[data-price="total"] dd')).toHaveText('91,00 €')
  await expect(page.locator('[data-donor]')).toHaveCount(0)

  await reopen(page, 'donation-packages-support-amount')
  await chooseSupport(page, 50)
  await action(page, 'continue').click()
  await screenIs(page, 'donation-prepayment')
  await expect(page.locator('[data-donor]')).toContainText(
    said('es', 'donor-note', { amount: '100 €' }).replace('\u00a0', ' '),
  )
  await expectAccessible(page, 'donation-prepayment')
  await agree(page)
  await action(page, 'pay').click()
  await expect(page.locator('#donor-problem')).toHaveText(
    `${said('es', 'donor-name-missing')} ${said('es', 'donor-document-missing')}`,
  )
  await expect(page.locator('#donor-problem')).toBeInViewport({ ratio: 1 })
  await expect(page.locator('#donor-name')).toBeFocused()
  // Of the two, only what is wrong is marked and asked for.
  await page.locator('#donor-name').fill('Aina Ferrer')
  // What is right is taken back, and nothing else.
  await expect(page.locator('#donor-problem')).toHaveText(said('es', 'donor-document-missing'))
  await expect(page.locator('#donor-name')).toHaveAttribute('aria-describedby', 'donor-note')
  await page.locator('#donor-document').fill('none')
  await action(page, 'pay').click()
  await expect(page.locator('#donor-problem')).toHaveText(said('es', 'donor-document-missing'))
  await expect(page.locator('#donor-document')).toBeFocused()
  await expect(page.locator('#donor-name')).toHaveAttribute('aria-invalid', 'false')

  const asked = page.waitForRequest('**/gateway*')
  await pressPay(page)
  expect((await asked).postDataJSON()).toMatchObject({
    donor: { name: 'Aina Ferrer', document: '12345678Z' },
  })
  await atScreen(page, 'hosted-payment')
  await page.goBack()
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, name]))
  expect(kept).not.toContain('12345678')
})

test('what somebody wrote into the storage by hand spoils no screen', async ({ page }) => {
  await page.goto(senderPath('es', 'ngo-list'))
  await page.evaluate(() => {
    for (const [key, text] of Object.entries({
      'gift:package': 'their yachts',
      'gift:sender': '{"kind":7',
      'gift:support': '-3',
      'gift:currency': 'XXX',
      'gift:strategy': 'free',
      'gift:theme': '"><script>',
    }))
      localStorage.setItem(key, text)
    sessionStorage.setItem('gift:card-order', '[1,2]')
    sessionStorage.setItem('gift:last-card', '{"cardId":3}')
  })
  await page.goto(senderPath('es', 'donation-prepayment'))
  await screenIs(page, 'packages-donation')
  await expect(page.locator('[data-package="their water"] .amount')).toHaveText('50 €')
  await page.goto(senderPath('es', 'no-refresh/checkout'))
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'absent')
})
