import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, readCard } from '#tests/support/e2e/api.ts'
import { amountsShown, openGift, readBack, showList, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en })

/** A browser within an app that keeps nothing: storage throws, and cookies are taken and forgotten. */
const keepNothing = (page: Page) =>
  page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} })
  })

const toConfirm = async (page: Page, key: string) => {
  await page.goto(giftPath(key, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 20, 'ngo-wfp': 30 })
}
const GIVEN = { 'ngo-msf': '€20.00', 'ngo-wfp': '€30.00' }

test('the thanks come with the answer where the browser keeps neither cookies nor anything else', async ({
  page,
  site,
}) => {
  await keepNothing(page)
  const { privateKey } = await buyThroughApi(site)
  await toConfirm(page, privateKey)
  const posts: string[] = []
  page.on('request', request => void (request.url().includes(privateKey) && posts.push(request.method())))
  const before = await page.title()
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await expect(page).toHaveURL(giftPath(privateKey, 'thanks'))
  // A title of its own, with neither a name nor an amount.
  await expect(page).toHaveTitle(/^(?:Ya está|It is done|C’est fait)\. · /)
  expect(await page.title()).not.toBe(before)
  expect(await amountsShown(page)).toEqual(GIVEN)
  await expect(page.locator('h1')).toBeFocused()
  expect(posts).toEqual(['POST'])
  // Nothing is kept: from here on it sees what everybody sees who has the link.
  await page.reload()
  await atScreen(page, 'consumed')
  await expect(page.locator('main .lead')).toHaveText(/\d{4}/)
  await expect(page.locator('[data-allocation]')).toHaveCount(0)
})

test.describe('without scripts and without cookies', () => {
  test.use({ javaScriptEnabled: false, ...STILL })

  test('the thanks come with the answer as well', async ({ page, context, site }) => {
    const { privateKey } = await buyThroughApi(site)
    // Whatever is set is forgotten at once.
    await page.route('**/gift-card/**', async route => {
      await context.clearCookies()
      await route.continue()
    })
    await page.goto(giftPath(privateKey, 'select-ngo'))
    await page.locator('[data-ngo="ngo-msf"] input').fill('20')
    await page.locator('[data-ngo="ngo-wfp"] input').fill('30')
    await readBack(page)
    await action(page, 'confirm').click()
    await atScreen(page, 'thanks')
    expect(await amountsShown(page)).toEqual(GIVEN)
  })
})

test('a reload of the thanks shows them again to the browser that gave, and to no other', async ({
  page,
  visitor,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  await toConfirm(page, privateKey)
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  expect(await page.evaluate(() => document.cookie)).not.toContain('given')
  await page.reload()
  await atScreen(page, 'thanks')
  await expect(page).toHaveURL(giftPath(privateKey, 'thanks'))
  expect(await amountsShown(page)).toEqual(GIVEN)
  // What is kept names its card by a few letters, and no key of it.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain(privateKey)

  const giver = await visitor({ locale: LOCALES.en })
  await giver.goto(giftPath(privateKey, 'thanks'))
  await atScreen(giver, 'consumed')
  await expect(giver).toHaveURL(giftPath(privateKey, 'consumed'))
  await expect(giver.locator('[data-allocation]')).toHaveCount(0)
})

test('an answer that was lost is told whole again to the same press, also after a reload', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/ERR_|Failed to fetch/)
  const { privateKey } = await buyThroughApi(site)
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  await toConfirm(page, privateKey)
  // The gift is made, and nobody hears of it.
  await page.route('**/api/ajuda/giftcard/*', async route => {
    await route.fetch()
    await route.abort()
  })
  await action(page, 'confirm').click()
  await expect(action(page, 'retry')).toBeVisible()
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(true)
  await page.unroute('**/api/ajuda/giftcard/*')
  const again = page.waitForResponse('**/api/ajuda/giftcard/*')
  await action(page, 'retry').click()
  expect(await (await again).json()).toMatchObject({ receiptKey: expect.stringMatching(/^[a-z2-7]{32}$/) })
  await atScreen(page, 'thanks')
  expect(await amountsShown(page)).toEqual(GIVEN)
})

test('Back from the thanks sends nothing again and shows no credit', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await openGift(page, giftPath(privateKey))
  await action(page, 'gift').click()
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  const posts: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname.includes(privateKey)) posts.push(pathname)
  })
  await page.goBack()
  await atScreen(page, 'consumed')
  await page.goForward()
  await atScreen(page, 'thanks')
  expect(posts).toEqual([])
})

test('Back on the confirm view leads to the list with its split, and Forward to it again', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  await toConfirm(page, privateKey)
  await page.goBack()
  await expect(page.locator('section.split')).toBeVisible()
  await expect(page.locator('[data-ngo="ngo-msf"] input')).toHaveValue('20')
  await page.goForward()
  await expect(action(page, 'confirm')).toBeVisible()
  // A reload stays where it is, and "change" leads back as Back does.
  await page.reload()
  await screenIs(page, 'select-ngo')
  await expect(action(page, 'confirm')).toBeVisible()
  await action(page, 'cancel').click()
  await expect(page.locator('section.split')).toBeVisible()
  await showList(page)
  await page.locator('[data-ngo="ngo-wfp"] input').fill('10')
  await readBack(page)
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
})
