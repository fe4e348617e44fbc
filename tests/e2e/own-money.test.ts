import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, newAddress, payThroughApi, readCard } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { payWith } from '#tests/support/e2e/buyer.ts'
import { openLetter } from '#tests/support/e2e/inbox.ts'
import { amountsShown, openGift, splitAs } from '#tests/support/e2e/recipient.ts'
import { unseenRings } from '#tests/support/e2e/rings.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ ...STILL, locale: LOCALES.es })

const part = (page: Page, ngo: string) => page.locator(`[data-ngo="${ngo}"] input`)
const GIVEN = { 'ngo-msf': '14,80 €', 'ngo-wfp': '22,20 €' }

test('after the split a recipient adds own money, as their gift was divided, and sees where it went', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const { privateKey } = await buyThroughApi(site)
  await openGift(page, giftPath(privateKey))
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 20, 'ngo-wfp': 30 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await action(page, 'own-money').click()
  await atScreen(page, 'own-money')
  await expect(page).toHaveURL(giftPath(privateKey, 'own-money'))
  await expect(page.locator('[data-of-card]')).toBeVisible()
  await expect(part(page, 'ngo-msf')).toHaveValue('20')
  await expect(part(page, 'ngo-wfp')).toHaveValue('30')
  await expectAccessible(page, 'the form')
  expect(await unseenRings(page, new Set())).toEqual([])
  await action(page, 'check').click()
  await expect(page.locator('#amount-error')).toHaveText(said('es', 'many-amount-range'))
  await page.locator('#amount').fill('37')
  await page.locator('#support').selectOption('10')
  await action(page, 'check').click()
  expect(await amountsShown(page)).toEqual(GIVEN)
  await expect(page.locator('[data-price="total"] dd')).toHaveText('40,00\u00a0€')
  await expectAccessible(page, 'before the payment')
  // Nobody pays without having agreed.
  await action(page, 'pay').click()
  await expect(page.locator('#payment-problem')).toHaveText(said('es', 'own-money-consent-missing'))
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  await expect(page.locator('body')).toContainText(said('es', 'payment-line-own-money'))
  const email = newAddress()
  await payWith(page, '4242 4242 4242 4242', email)
  await atScreen(page, 'own-money-thanks')
  await expect(page.locator('main')).toHaveAttribute('data-outcome', 'given')
  expect(await amountsShown(page)).toEqual(GIVEN)
  expect(page.url()).not.toContain('session')
  await expectAccessible(page, 'the thanks')
  const letter = await openLetter(page, email)
  await expect(letter.locator('body')).toContainText(/14,80.*22,20/s)
})

test('the page after the payment says so where nobody has paid, and keeps the payment through a reload', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 404/)
  await page.goto('/own-money-thanks?lang=es')
  await expect(page.locator('main')).toHaveAttribute('data-outcome', 'refused')
  await expect(page.locator('#refused')).toHaveText(said('es', 'own-money-thanks-missing'))
  await expect(page.locator('#refused')).toBeFocused()
  // Apart from what stands above it.
  const [above, refused] = [
    (await page.locator('h1').boundingBox())!,
    (await page.locator('#refused').boundingBox())!,
  ]
  expect(refused.y - above.y - above.height).toBeGreaterThanOrEqual(8)
  await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
  await expect(action(page, 'look')).toHaveCount(0)
  await expectAccessible(page, 'no payment')

  // Whoever loads the page anew before it has its answer: the address has no session any more.
  const { sessionId } = await payThroughApi(site)
  let asked = 0
  await page.route('**/own-money-thanks*', route => {
    if (route.request().method() === 'POST' && ++asked === 1) return route.abort()
    return route.continue()
  })
  await page.goto(`/own-money-thanks?lang=es&session_id=${sessionId}`).catch(() => {})
  await expect.poll(() => asked).toBe(1)
  expect(page.url()).not.toContain('session')
  await page.reload().catch(() => {})
  // What was bought with it is no own money; but it was asked for.
  await expect(page.locator('main')).toHaveAttribute('data-outcome', 'refused')
  await expect.poll(() => asked).toBe(2)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, locale: LOCALES.fr })

  test('own money is added to a card that nobody has used, and what was written stays', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 422/)
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'own-money'))
    await atScreen(page, 'own-money')
    await page.locator('#amount').fill('20')
    const attempt = () => page.locator('[name="attempt"]').inputValue()
    const first = await attempt()
    await action(page, 'check').click()
    await expect(page.locator('.problems')).toContainText(said('fr', 'own-money-parts-empty'))
    await expect(page.locator('#amount')).toHaveValue('20')
    await part(page, 'ngo-cerf').fill('2')
    await part(page, 'ngo-irc').fill('1')
    await action(page, 'check').click()
    await action(page, 'change').click()
    await expect(part(page, 'ngo-cerf')).toHaveValue('2')
    await action(page, 'check').click()
    // However often it is looked at, it is one payment.
    expect(await attempt()).toBe(first)
    await expect(page).toHaveTitle(new RegExp(said('fr', 'own-money-review-title')))
    expect(await amountsShown(page)).toEqual({ 'ngo-cerf': '13,33 €', 'ngo-irc': '6,67 €' })
    await page.locator('[data-consent="fulfilment"]').check()
    // Read on its way: the page that leads to the payment leaves by itself.
    let leading = ''
    await page.route(
      url => url.pathname === giftPath(privateKey, 'own-money'),
      async route => {
        const response = await route.fetch()
        leading = await response.text()
        await route.fulfill({ response })
      },
    )
    await action(page, 'pay').click()
    await atScreen(page, 'hosted-payment')
    expect(leading).toContain(`<title>${said('fr', 'payment-opening')} · `)
    await payWith(page, '4242 4242 4242 4242', newAddress())
    await atScreen(page, 'own-money-thanks')
    await expect(page.locator('main')).toHaveAttribute('data-outcome', 'asking')
    await action(page, 'look').click()
    await expect(page.locator('main')).toHaveAttribute('data-outcome', 'given')
    expect(await amountsShown(page)).toEqual({ 'ngo-cerf': '13,33 €', 'ngo-irc': '6,67 €' })
    expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
  })

  test('a preview shows it, and pays nothing', async ({ page, site }) => {
    const { publicKey } = await buyThroughApi(site)
    await page.goto(giftPath(publicKey, 'own-money', 'preview'))
    await atScreen(page, 'own-money')
    await page.locator('#amount').fill('20')
    await part(page, 'ngo-cerf').fill('1')
    await action(page, 'check').click()
    await page.locator('[data-consent="fulfilment"]').check()
    await action(page, 'pay').click()
    await atScreen(page, 'thanks')
  })
})
