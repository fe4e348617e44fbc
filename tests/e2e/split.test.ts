import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, readCard } from '#tests/support/e2e/api.ts'
import { amountsShown, openGift, showList, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en })

const number = (page: Page, ngo: string) => page.locator(`[data-ngo="${ngo}"] input`)

/** Has seen the start of the story before, so that the list opens by its address. */
const knowsTheStory = (page: Page) => page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))

test('of two phones that give one card at once, one gives it and the other sees that it is used', async ({
  visitor,
  site,
  watch,
}) => {
  watch.expectFault(/status of 409/)
  const { privateKey } = await buyThroughApi(site)
  const phones = await Promise.all([visitor({ locale: LOCALES.fr }), visitor({ locale: LOCALES.en })])
  const choices = [{ 'ngo-msf': 50 }, { 'ngo-wfp': 50 }]
  for (const [index, phone] of phones.entries()) {
    await openGift(phone, giftPath(privateKey))
    await action(phone, 'gift').click()
    await splitAs(phone, choices[index]!)
  }
  await Promise.all(phones.map(phone => action(phone, 'confirm').click()))
  const screens = await Promise.all(
    phones.map(async phone => {
      await phone.waitForURL(/\/(thanks|consumed)\//)
      return phone.locator('main').getAttribute('data-screen')
    }),
  )
  expect(screens.toSorted()).toEqual(['consumed', 'thanks'])
  const winner = screens.indexOf('thanks')
  const given = Object.keys(choices[winner]!)
  expect(Object.keys(await amountsShown(phones[winner]!))).toEqual(given)
  await expect(phones[1 - winner]!.locator('[data-allocation]')).toHaveCount(0)
  await expect(phones[1 - winner]!.locator('h1')).toHaveText(
    said(winner === 0 ? 'en' : 'fr', 'consumed-title'),
  )
})

test('going back after thanks never shows a credit that is gone', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await openGift(page, giftPath(privateKey))
  await action(page, 'skip').click()
  await atScreen(page, 'introduction-2')
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await page.goBack()
  await atScreen(page, 'consumed')
  await page.goForward()
  await atScreen(page, 'thanks')
  await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText('50.00')
})

test('a page that the browser kept asks anew before it shows a credit', async ({ page, site }) => {
  await knowsTheStory(page)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await showList(page)
  const asked = page.waitForRequest(request => request.isNavigationRequest())
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  expect((await asked).method()).toBe('GET')
  await screenIs(page, 'select-ngo')
})

test('a split made on an older list keeps what still holds, and says so', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await page.addInitScript(card => {
    sessionStorage.setItem('gift:opened', '1')
    const points = { 'ngo-msf': 20, 'ngo-gone': 25, 'ngo-irc': 5 }
    sessionStorage.setItem('gift:split', JSON.stringify({ card, points }))
  }, privateKey)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await expect(page.locator('[data-said]')).toHaveText(said('en', 'select-ngo-list-changed'))
  await expect(number(page, 'ngo-msf')).toHaveValue('20')
  await expect(number(page, 'ngo-irc')).toHaveValue('5')
  await expect(page.locator('[data-left]')).toHaveAttribute('data-left', '25')
})

test('a list that changes before the gift is given keeps the split, and says why', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  await knowsTheStory(page)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 50 })
  await page.route('**/api/ajuda/giftcard/*', route =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: '{"code":"ngo-not-listed"}',
    }),
  )
  await action(page, 'confirm').click()
  await expect(page.locator('.confirm .error')).toHaveText(said('en', 'problem-ngo-not-listed'))
  await expect(action(page, 'retry')).toBeVisible()
  await action(page, 'cancel').click()
  await expect(number(page, 'ngo-msf')).toHaveValue('50')
})

test('what is left over is explained before it is given: in what proportion, and how much to each', async ({
  page,
  site,
}) => {
  await knowsTheStory(page)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await expect(page.locator('.split-hint .lead')).toHaveText(said('en', 'select-ngo-hint', { unit: '€1' }))
  await splitAs(page, { 'ngo-msf': 2, 'ngo-unrwa': 1 })
  await expect(page.locator('[data-leftover]')).toHaveText(
    said('en', 'select-ngo-confirm-leftover', { left: '€47' }),
  )
  await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText(
    said('en', 'select-ngo-confirm-parts', { given: '€2', share: '€31.33' }),
  )
  await action(page, 'cancel').click()
  await expect(page.locator('.split-spread')).toHaveText(said('en', 'select-ngo-spread', { left: '€47' }))
  await action(page, 'rest').click()
  await action(page, 'continue').click()
  await expect(page.locator('[data-leftover]')).toHaveCount(0)
})

test('shared evenly, every part is the same to the cent; a card too small for all says how many it reaches', async ({
  page,
  site,
}) => {
  await knowsTheStory(page)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await showList(page)
  await action(page, 'share-evenly').click()
  await expect(page.locator('[data-said]')).toHaveText(said('en', 'select-ngo-even-all'))
  await action(page, 'continue').click()
  const amounts = Object.values(await amountsShown(page))
  expect(new Set(amounts)).toEqual(new Set(['€7.15', '€7.14']))
  const small = await buyThroughApi(site, { packageId: 'keep the chain', ngoAmount: 200 })
  await page.goto(giftPath(small.privateKey, 'select-ngo'))
  await showList(page)
  await action(page, 'share-evenly').click()
  await expect(page.locator('[data-said]')).toHaveText(
    said('en', 'select-ngo-even-some', { credit: '€2', count: 2, total: 7 }),
  )
  await expect(page.locator('[data-ngo][data-chosen]')).toHaveCount(2)
})

test('a word that is neither preview nor final counts as final', async ({ page, site }) => {
  await knowsTheStory(page)
  const { privateKey, publicKey } = await buyThroughApi(site)
  for (const path of [
    'introduction-1/word',
    'introduction-1/PREVIEW',
    'introduction-1',
    'introduction-1/final/x',
  ]) {
    await page.goto(`/gift-card/${privateKey}/${path}`)
    await atScreen(page, 'introduction-1')
    await expect(action(page, 'skip')).toHaveAttribute('href', giftPath(privateKey, 'introduction-2'))
    await expect(page.getByText(said('en', 'receiver-preview-notice'))).toHaveCount(0)
  }
  await page.goto(`/gift-card/${publicKey}/introduction-1/word`)
  await expect(page.getByText(said('en', 'receiver-preview-notice'))).toBeVisible()
  expect((await readCard(site, privateKey, 'word')).status).toBe(200)
})

for (const [what, size] of [
  ['at 320 px', { width: 320, height: 640 }],
  ['at 400 %', { width: 320, height: 211 }],
] as const) {
  test(`${what} everything on the list is reached by keyboard, and nothing covers it`, async ({
    page,
    site,
  }) => {
    await knowsTheStory(page)
    await page.setViewportSize(size)
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'select-ngo'))
    await showList(page)
    const covered: string[] = []
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press('Tab')
      const found = await page.evaluate(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body || !focused.closest('main')) return undefined
        const { left, top, width, height } = focused.getBoundingClientRect()
        const above = document.elementFromPoint(left + width / 2, top + height / 2)
        const name = focused.getAttribute('aria-label') ?? focused.textContent ?? ''
        return { name, isFree: Boolean(above && (above === focused || focused.contains(above))) }
      })
      if (found && !found.isFree) covered.push(found.name)
    }
    expect(covered).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBe(size.width)
  })
}

test('with colours of the visitor’s own, every control has an edge and what is chosen shows', async ({
  page,
  site,
}) => {
  await knowsTheStory(page)
  await page.emulateMedia({ forcedColors: 'active' })
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await showList(page)
  await number(page, 'ngo-msf').fill('20')
  const withoutEdge = () =>
    page
      .locator('main button:visible:not(.link), main input:visible')
      .evaluateAll(controls =>
        controls
          .filter(control => Number.parseFloat(getComputedStyle(control).borderTopWidth) === 0)
          .map(({ outerHTML }) => outerHTML),
      )
  expect(await withoutEdge()).toEqual([])
  await action(page, 'continue').click()
  await expect(action(page, 'confirm')).toBeVisible()
  expect(await withoutEdge()).toEqual([])
})
