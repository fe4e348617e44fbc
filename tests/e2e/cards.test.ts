import { buyThroughApi, giftPath, readCard, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { answerConsent, choosePackage, senderPath } from '#tests/support/e2e/buyer.ts'
import { openGift, STORY, skipStory, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { tapAnywhere } from '#tests/support/e2e/waiting.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es })

test('the try card greets with the visitor’s own name, theme and currency, never waits, and asks the server for nothing', async ({
  page,
}) => {
  const calls: string[] = []
  page.on('request', request => void (request.url().includes('/api/') && calls.push(request.url())))
  await page.goto(senderPath('es', 'packages-donation'))
  await page.evaluate(() => localStorage.setItem('gift:theme', 'ukraine'))
  await choosePackage(page, { currency: 'GBP' })
  await action(page, 'continue').click()
  await screenIs(page, 'donation-sender-name')
  await page.locator('[data-sender="own"] label').click()
  await page.locator('#sender-name').fill('Íñigo & <b>')
  await page.goto(senderPath('es', 'packages-donation'))
  await page.locator('[data-package="try"] a').click()
  await expect(page.locator('h1')).toHaveText(
    said('es', 'introduction-1-title-named', { name: 'Íñigo & <b>' }),
  )
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'ukraine')
  for (const [screen] of STORY) {
    await atScreen(page, screen)
    await tapAnywhere(page)
  }
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'ukraine')
  await splitAs(page, { 'ngo-msf': 20, 'ngo-wfp': 30 })
  await expect(page.locator('.confirm .amount')).toHaveText(['20,00 £', '30,00 £', '50,00 £'])
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await expect(page.getByText(said('es', 'thanks-preview'))).toBeVisible()
  await page.goto(giftPath('giftcard-try', 'introduction-8'))
  await expect(page.locator('h1')).toHaveText(said('es', 'introduction-8-title', { credit: '50 £' }))
  expect(calls).toEqual([])
})

test('somebody who leaves the thanks screen meets the packages as a link of the chain', async ({
  page,
  site,
}) => {
  const card = await buyThroughApi(site)
  await openGift(page, giftPath(card.privateKey))
  await action(page, 'gift').click()
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await action(page, 'continue').click()
  expect(await answerConsent(page)).toBe('intro')
  await action(page, 'skip').click()
  await screenIs(page, 'packages-donation')
  await expect(page.locator('[data-package="try"]')).toBeHidden()
  await expect(page.locator('[data-package="their water"]')).toContainText(
    said('es', 'package-water-subtitle-keep'),
  )
})

const UNKNOWN = 'a'.repeat(32)
for (const [what, key] of [
  ['unknown', UNKNOWN],
  ['too short', 'abc'],
  ['with a character too many', `${UNKNOWN}a`],
  ['with letters no key has', '0189'.repeat(8)],
  ['with spaces and markup', '%20%3Cscript%3E'],
] as const) {
  test(`a key ${what} reads as a card that doesn’t exist, on every screen`, async ({ page, site, watch }) => {
    watch.expectFault(/status of 404/)
    for (const screen of ['introduction', 'select-ngo', 'thanks', 'consumed', 'nonsense']) {
      const answer = await page.goto(giftPath(key, screen))
      expect(answer?.status()).toBe(404)
      await atScreen(page, 'doesnt-exist')
      expect(await page.title()).not.toContain(key)
    }
    const read = await readCard(site, key)
    const given = await redeemThroughApi(site, key, { 'ngo-msf': 1 })
    expect([read.status, given.status]).toEqual([404, 404])
  })
}

test('a path that climbs out leads nowhere, whatever it climbs to', async ({ site }) => {
  for (const key of ['..%2F..%2Fetc', '..%5C..%5Cetc']) {
    const answer = await fetch(`${site.url}/gift-card/${key}/introduction/final`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('data-screen="doesnt-exist"')
  }
})

test('a private key in capitals, or in groups with a full stop, opens its card', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  for (const written of [privateKey.toUpperCase(), `${privateKey.match(/.{8}/g)!.join(' ')}.`]) {
    await page.goto(giftPath(encodeURIComponent(written)))
    await atScreen(page, 'introduction-1')
    await expect(page).toHaveURL(giftPath(privateKey, 'introduction-1'))
  }
  expect((await redeemThroughApi(site, privateKey.toUpperCase(), { 'ngo-msf': 1 })).status).toBe(200)
})

test('the public key is a preview, whatever its path says', async ({ page, site }) => {
  const { publicKey, privateKey } = await buyThroughApi(site)
  const posts: string[] = []
  page.on('request', request => void (request.method() === 'POST' && posts.push(request.url())))
  await openGift(page, giftPath(publicKey, 'introduction', 'final'))
  await expect(page.getByText(said('es', 'receiver-preview-notice'))).toBeVisible()
  await skipStory(page)
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  expect(posts).toEqual([])
  expect((await redeemThroughApi(site, publicKey, { 'ngo-msf': 50 })).status).toBe(404)
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
})

test('the private key with a preview’s path is a preview too', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await openGift(page, giftPath(privateKey, 'introduction', 'preview'))
  await action(page, 'gift').click()
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
})

test('the story of a preview goes on, though the card was used', async ({ page, site }) => {
  const { privateKey, publicKey } = await buyThroughApi(site)
  await redeemThroughApi(site, privateKey, { 'ngo-msf': 50 })
  await openGift(page, giftPath(publicKey, 'introduction', 'preview'))
  expect((await readCard(site, publicKey, 'preview')).giftcard?.consumed).toBe(false)
})

test('a card used on another phone meanwhile says so, and not where it went', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 409/)
  const { privateKey } = await buyThroughApi(site)
  await openGift(page, giftPath(privateKey))
  await action(page, 'gift').click()
  await splitAs(page, { 'ngo-msf': 50 })
  await redeemThroughApi(site, privateKey, { 'ngo-wfp': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'consumed')
  await expect(page.locator('[data-allocation]')).toHaveCount(0)
})

test('an answer that is lost keeps the split, and Retry gives it', async ({ page, site, watch }) => {
  watch.expectFault(/ERR_FAILED|status of 429/)
  const { privateKey } = await buyThroughApi(site)
  await openGift(page, giftPath(privateKey))
  await action(page, 'gift').click()
  await splitAs(page, { 'ngo-msf': 50 })
  let tries = 0
  await page.route('**/api/ajuda/giftcard/*', async route => {
    tries += 1
    if (tries === 1) {
      // The server takes it; only the answer never arrives.
      await route.fetch()
      return route.abort()
    }
    if (tries === 2)
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        body: '{"code":"too-many-requests"}',
      })
    return route.continue()
  })
  await action(page, 'confirm').click()
  await expect(page.locator('.confirm .error')).toHaveText(said('es', 'problem-network'))
  await action(page, 'retry').click()
  await expect(page.locator('.confirm .error')).toHaveText(said('es', 'problem-too-many-requests'))
  await expect(page.locator('[data-allocation="ngo-msf"]')).toBeVisible()
  await action(page, 'retry').click()
  await atScreen(page, 'thanks')
})

test('a screen that no card has leads to the introduction', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'nonsense'))
  await atScreen(page, 'introduction-1')
  await page.goto(giftPath(privateKey, 'thanks'))
  await atScreen(page, 'select-ngo')
})

for (const language of LANGUAGES) {
  test(`the first screen of the story changes its language to ${language}, and the rest follows`, async ({
    page,
    site,
  }) => {
    const { privateKey } = await buyThroughApi(site, { sender: 'Íñigo' })
    await openGift(page, giftPath(privateKey))
    await page.locator('details.switch summary').click()
    await page.locator(`a[data-language="${language}"]`).click()
    await atScreen(page, 'introduction-1')
    await expect(page.locator('h1')).toHaveText(
      said(language, 'introduction-1-title-named', { name: 'Íñigo' }),
    )
    await action(page, 'skip').click()
    await atScreen(page, 'introduction-2')
    await expect(page.locator('h1')).toHaveText(said(language, 'introduction-2-title'))
  })
}
