/** Links of the new form, whose key no browser sends, in a browser: to the end, again, without cookies, without scripts. */
import type { Page } from '@playwright/test'
import { giftLinkPath } from '#paths'
import { buyThroughApi, inviteThroughApi, readCard } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { amountsShown, showList, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, downloaded } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en, ...STILL })

const gift = { themeId: 'ukraine', language: 'en' } as const
const OF_HANDLE = /\/gift-card(-volunteering)?\/0[a-z2-7]{31}\//

/** All that a page sends, but for the body of the trade: addresses, referrers, bodies. */
function sentBy(page: Page): () => string {
  const sent: string[] = []
  page.on('request', request => {
    const body = request.url().endsWith('/api/gift-card/open') ? '' : request.postData()
    sent.push([request.url(), request.headers().referer, body].join(' '))
  })
  return () => sent.join('\n')
}

for (const language of LANGUAGES)
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('a link leads from the message to the thanks, and its key is sent nowhere', async ({
      page,
      site,
    }) => {
      const { privateKey } = await buyThroughApi(site, { theme: 'ukraine', language, sender: 'Íñigo' })
      const sent = sentBy(page)
      await page.goto('/es/who-we-are')
      await page.goto(giftLinkPath({ ...gift, language }, privateKey))
      await atScreen(page, 'introduction-1')
      await expect(page).toHaveURL(OF_HANDLE)
      await expect(page.locator('.heading')).toContainText('Íñigo')
      const first = page.url()
      await page.reload()
      await atScreen(page, 'introduction-1')
      await action(page, 'skip').click()
      await atScreen(page, 'introduction-2')
      await page.goBack()
      await atScreen(page, 'introduction-1')
      expect(page.url()).toBe(first)
      // Back once more: the page of before the link. Nothing of the link is in the way.
      await page.goBack()
      await atScreen(page, 'who-we-are')
      await page.goForward()
      await atScreen(page, 'introduction-1')

      await page.goto(first.replace('introduction-1', 'select-ngo'))
      await splitAs(page, { 'ngo-msf': 20, 'ngo-irc': 30 })
      await action(page, 'confirm').click()
      await atScreen(page, 'thanks')
      expect(Object.keys(await amountsShown(page))).toEqual(['ngo-msf', 'ngo-irc'])
      await page.reload()
      await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText(/20[.,]00/)
      // The link once more: the gift was used, and this browser remembers where it went.
      await page.goto(giftLinkPath({ ...gift, language }, privateKey))
      await atScreen(page, 'consumed')
      await expect(page.locator('[data-allocation="ngo-irc"]')).toContainText(/30[.,]00/)

      expect(sent()).toContain('/gift-card/0')
      expect(sent().toLowerCase()).not.toContain(privateKey)
      const kept = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, name]),
      )
      expect(kept).not.toContain(privateKey)
    })

    test('whoever has no link in the address pastes it, by keyboard, on a page that anyone can use', async ({
      page,
      site,
      watch,
    }) => {
      watch.expectFault(/status of 404/)
      const { publicKey } = await buyThroughApi(site)
      await page.goto('/g')
      await atScreen(page, 'open-gift')
      await expect(page.locator('h1')).toHaveText(said(language, 'open-gift-title'))
      await expectAccessible(page, `the form in ${language}`)
      await page.locator('#link').focus()
      await page.keyboard.type('a'.repeat(32))
      await page.keyboard.press('Enter')
      await expect(page.locator('#link-error')).toHaveText(said(language, 'problem-card-not-found'))
      await expect(page.locator('#link')).toHaveAttribute('aria-invalid', 'true')
      await expect(page.locator('#link')).toHaveValue('')
      await expectAccessible(page, `a wrong link in ${language}`)
      await page.locator('#link').focus()
      await page.keyboard.insertText(`Mira: ${site.url}${giftLinkPath(gift, publicKey)} besos`)
      await page.keyboard.press('Tab')
      await expect(action(page, 'open-gift')).toBeFocused()
      await page.keyboard.press('Enter')
      await atScreen(page, 'introduction-1')
      await expect(page).toHaveURL(OF_HANDLE)
      await expect(page).toHaveURL(/\/preview$/)
    })
  })

test('a link that opens nothing says why, and a right one in the same tab opens', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 404/)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftLinkPath(gift, 'a'.repeat(32)))
  await expect(page.locator('#link-error')).toHaveText(said('en', 'problem-card-not-found'))
  await expect(page.locator('#link')).toBeFocused()
  await expect(page).toHaveURL(/\/g\/ukraine\/en$/)
  await expectAccessible(page, 'a wrong link')
  // Only what follows # is another: the page is not loaded anew.
  await page.evaluate(key => {
    location.hash = key
  }, privateKey)
  await atScreen(page, 'introduction-1')
  await expect(page).toHaveURL(OF_HANDLE)
})

test('the way to the content of the form is no link of a gift', async ({ page }) => {
  let isAsked = false
  page.on('request', request => {
    isAsked ||= request.url().endsWith('/api/gift-card/open')
  })
  await page.goto('/g')
  await page.keyboard.press('Tab')
  await expect(page.locator('.skip-link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/g#content$/)
  await page.reload()
  await atScreen(page, 'open-gift')
  await expect(page.locator('#link-error')).toBeHidden()
  expect(isAsked).toBe(false)
})

test('without a connection the link is kept in the form, to try again', async ({ page, site, watch }) => {
  watch.expectFault(/ERR_FAILED/)
  const { privateKey } = await buyThroughApi(site)
  await page.route('**/api/gift-card/open', route => route.abort())
  await page.goto(giftLinkPath(gift, privateKey))
  await expect(page.locator('#link-error')).toHaveText(said('en', 'problem-network'))
  await expect(page).toHaveURL(/\/g\/ukraine\/en$/)
  await page.unroute('**/api/gift-card/open')
  await action(page, 'open-gift').click()
  await atScreen(page, 'introduction-1')
  await expect(page).toHaveURL(OF_HANDLE)
})

test('two gifts in two tabs stay apart, and an invitation beside them', async ({ page, site, context }) => {
  const [one, two] = await Promise.all([
    buyThroughApi(site, { sender: 'Aina' }),
    buyThroughApi(site, { sender: 'Bru' }),
  ])
  const { key } = await inviteThroughApi(site, { sender: 'Carla' })
  const [second, third] = [await context.newPage(), await context.newPage()]
  await page.goto(giftLinkPath(gift, one.privateKey))
  await atScreen(page, 'introduction-1')
  await second.goto(giftLinkPath(gift, two.privateKey))
  await atScreen(second, 'introduction-1')
  await third.goto(giftLinkPath({ ...gift, kind: 'volunteering' }, key))
  await atScreen(third, 'introduction')
  await expect(third).toHaveURL(OF_HANDLE)
  for (const [tab, name] of [
    [page, 'Aina'],
    [second, 'Bru'],
    [third, 'Carla'],
  ] as const) {
    await tab.reload()
    await expect(tab.locator('.heading')).toContainText(name)
  }
  await second.goto(second.url().replace('introduction-1', 'select-ngo'))
  await splitAs(second, { 'ngo-msf': 50 })
  await action(second, 'confirm').click()
  await atScreen(second, 'thanks')
  expect((await readCard(site, two.privateKey)).giftcard?.consumed).toBe(true)
  expect((await readCard(site, one.privateKey)).giftcard?.consumed).toBe(false)
  await page.goto(page.url().replace('introduction-1', 'select-ngo'))
  await showList(page)
})

test('a link to a place leads there: to the passport of a card, to the last screen of an invitation', async ({
  page,
  site,
}) => {
  const { publicKey } = await buyThroughApi(site)
  const { key } = await inviteThroughApi(site)
  // The first load in a browser session, which else leads to the beginning of the story.
  await page.goto(giftLinkPath({ ...gift, kind: 'volunteering' }, key, 'mission'))
  await atScreen(page, 'introduction-10')
  // The book is made behind everything else, which on a busy machine takes longer than a download waits.
  const book = (await action(page, 'photo-book').getAttribute('href'))!
  await expect.poll(async () => (await page.request.head(book)).status(), { timeout: 90_000 }).toBe(200)
  const download = await downloaded(page, 'photo-book')
  expect(download.url()).not.toContain(key)
  await page.goto(giftLinkPath(gift, publicKey, 'passport'))
  await atScreen(page, 'thanks')
  await expect(page).toHaveURL(OF_HANDLE)
  await expect(page).toHaveURL(/#passport$/)
  await expect(page.locator('[data-passport], #passport').first()).toBeVisible()
})

test('a browser that refuses cookies is led to the address with the key', async ({ page, site, context }) => {
  const { privateKey } = await buyThroughApi(site)
  // As a browser that takes none: none is ever sent.
  await page.route('**/*', async route => {
    await context.clearCookies()
    await route.continue()
  })
  await page.goto(giftLinkPath(gift, privateKey))
  await atScreen(page, 'introduction-1')
  await expect(page).toHaveURL(new RegExp(`/gift-card/${privateKey}/introduction-1/final$`))
})

test('the address of a gift leads nobody else to it, but to where a link is pasted', async ({
  page,
  site,
  visitor,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftLinkPath(gift, privateKey))
  await atScreen(page, 'introduction-1')
  const friend = await visitor({ locale: LOCALES.en })
  await friend.goto(page.url())
  await atScreen(friend, 'open-gift')
  await expect(friend).toHaveURL(/\/g$/)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the pasted link leads to the gift and on to the thanks, its key in no address', async ({
    page,
    site,
  }) => {
    const { privateKey } = await buyThroughApi(site)
    const addresses: string[] = []
    page.on('request', request => void addresses.push(request.url()))
    await page.goto(giftLinkPath(gift, privateKey))
    await atScreen(page, 'open-gift')
    await expect(page.locator('.opening-only')).toBeHidden()
    await page.locator('#link').fill(site.url + giftLinkPath(gift, privateKey))
    await action(page, 'open-gift').click()
    await atScreen(page, 'introduction-1')
    const first = page.url()
    expect(first).toMatch(OF_HANDLE)
    await page.goto(first.replace('introduction-1', 'select-ngo'))
    await page.locator('[data-ngo="ngo-msf"] input').fill('50')
    await action(page, 'continue').click()
    await action(page, 'confirm').click()
    await atScreen(page, 'thanks')
    await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText('50.00')
    // The address of the link itself is the tab's own business: what follows # was never sent.
    expect(addresses.filter(address => address.replace(/#.*/, '').includes(privateKey))).toEqual([])
  })
})
