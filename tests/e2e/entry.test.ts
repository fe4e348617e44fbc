import type { Page } from '@playwright/test'
import { arrive, senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

const stored = (page: Page, key: string) =>
  page.evaluate(key => [localStorage.getItem(key), sessionStorage.getItem(key)], key)

const water = (page: Page) => page.locator('[data-package="their water"] .amount')

test('the consent question comes first, and until it is answered nothing learned outlives the tab', async ({
  page,
}) => {
  await page.goto('/encuesta?shareRef=whatsapp-group')
  await atScreen(page, 'cookies-settings')
  expect(await stored(page, 'gift:visitor')).toEqual([null, null])
  expect(await stored(page, 'gift:sessions')).toEqual([null, null])
  const [kept, waiting] = await stored(page, 'gift:entry')
  expect(kept).toBeNull()
  expect(JSON.parse(waiting ?? '')).toEqual({ strategy: 'tiktok-sp', pollVisitor: true, referred: true })
  await action(page, 'accept-all').click()
  await atScreen(page, 'poll-ngo')
  expect(JSON.parse((await stored(page, 'gift:visitor'))[0] ?? '')).toEqual(JSON.parse(waiting ?? ''))
  expect((await stored(page, 'gift:sessions'))[0]).toBe('1')
  expect((await stored(page, 'gift:entry'))[1]).toBeNull()
})

test('a search engine reads the entry itself, which it may list', async ({ visitor }) => {
  const crawler = await visitor({
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  })
  for (const language of LANGUAGES) {
    await crawler.goto(`/${language}`)
    // The next document would be another one, with another screen.
    await expect(crawler.locator('main')).toHaveAttribute('data-screen', 'entry')
    await expect(crawler.locator('meta[name=robots]')).toHaveCount(0)
    await expect(crawler.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`/${language}$`))
    await expect(action(crawler, 'continue')).toHaveAttribute(
      'href',
      senderPath(language, '').replace(/\/$/, ''),
    )
  }
})

test('after a plain no it stays in the tab', async ({ page, context }) => {
  expect(await arrive(page, '/AdGirlEs1', 'reject')).toBe('packages-donation')
  expect(await stored(page, 'gift:visitor')).toEqual([null, null])
  expect((await stored(page, 'gift:entry'))[1]).toContain('AdGirlEs1')
  const other = await context.newPage()
  await other.goto('/')
  await atScreen(other, 'intro')
})

for (const [path, screen] of [
  ['/', 'intro'],
  ['/nobody-knows-this', 'intro'],
  ['/fr/AdGirlFr1', 'packages-donation'],
  ['/adgirlusa1fb', 'packages-donation'],
  ['/gift-seed', 'packages-donation'],
  ['/reddit-gift-1', 'intro'],
  ['/?shareRef=facebook-post', 'intro'],
  ['/%E0%A4%A', 'intro'],
] as const)
  test(`${path} leads to ${screen}`, async ({ page, watch }) => {
    watch.expectFault(/status of 40/)
    if (path.includes('%E0')) {
      expect((await page.request.get(path)).status()).toBeGreaterThanOrEqual(400)
      return
    }
    expect(await arrive(page, path)).toBe(screen)
    await page.goBack()
    expect(page.url()).not.toContain('shareRef')
  })

test('poll entries price by their own strategy, in whatever language, and keep it', async ({ page }) => {
  await arrive(page, '/poll')
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(water(page)).toHaveText('100 €')
  await page.goto('/sondage')
  await atScreen(page, 'poll-ngo')
  await page.goto(senderPath('fr', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await expect(water(page)).toHaveText(/100/)
})

test('lang in the address chooses the language of everything that follows', async ({ page }) => {
  expect(await arrive(page, '/AdGirlEs1?lang=fr')).toBe('packages-donation')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  expect(new URL(page.url()).pathname).toBe(senderPath('fr', 'packages-donation'))
})

test('who was sent by a friend or opened a gift is led straight to the packages by the splash', async ({
  visitor,
}) => {
  for (const prepare of [
    async (page: Page) => void (await arrive(page, '/?shareRef=copy')),
    async (page: Page) => {
      await page.goto(senderPath('es', 'donate-us'))
      await page.evaluate(() => localStorage.setItem('gift:came-from-receiver', 'yes'))
      await page.goto('/es/intro')
    },
  ]) {
    const page = await visitor({ locale: LOCALES.es, reducedMotion: 'reduce' })
    await prepare(page)
    await atScreen(page, 'intro')
    await page.locator('main').click({ position: { x: 30, y: 60 } })
    await screenIs(page, 'packages-donation')
    await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
    await expect(page.locator('[data-kind="try"]')).toBeHidden()
    const kinds = await page
      .locator('[data-kind]:visible')
      .evaluateAll(cards => cards.map(card => (card as HTMLElement).dataset.kind))
    expect([
      'chain food water homes lives own volunteering help-us',
      'chain help-us food water homes lives own volunteering',
    ]).toContain(kinds.join(' '))
    await expect(page.locator('[data-package="their water"]')).toContainText(
      said('es', 'package-water-subtitle-keep'),
    )
  }
})

test('everybody else sees the try card and the words that begin a chain', async ({ page }) => {
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await expect(page.locator('[data-kind="try"]')).toBeVisible()
  await expect(page.locator('[data-package="their water"]')).toContainText(
    said('es', 'package-water-subtitle-start'),
  )
})

test('the drawn order stays for the visit, and help-us opens sharing', async ({ page }) => {
  await page.goto(senderPath('es', 'packages-donation'))
  const order = async (): Promise<string> => {
    await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
    const cards = page.locator('[data-kind]:visible')
    return (await cards.evaluateAll(all => all.map(card => (card as HTMLElement).dataset.kind))).join(' ')
  }
  const drawn = await order()
  for (let visit = 0; visit < 4; visit++) {
    await page.reload()
    expect(await order()).toBe(drawn)
  }
  await page.locator('[data-kind="help-us"] a').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-kind="help-us"] a')).toBeFocused()
})

test('the NGO-list link shows to who has not been there', async ({ page }) => {
  await page.goto(senderPath('es', 'packages-donation'))
  await action(page, 'ngo-list').click()
  await atScreen(page, 'ngo-list')
  await action(page, 'continue').click()
  await screenIs(page, 'packages-donation')
  await expect(action(page, 'ngo-list')).toBeHidden()
})

test('the developer’s panel shows what is known and can forget it all', async ({ page }) => {
  await page.goto(senderPath('es', 'packages-donation'))
  // The order is drawn once the cards are shown.
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await expect(page.locator('[data-developer]')).toHaveCount(0)
  await arrive(page, '/developer')
  await page.locator('[data-developer] summary').click()
  await expect(page.locator('[data-fact="version"]')).toHaveText('1.0.6')
  await expect(page.locator('[data-fact="strategy"]')).toHaveText('tiktok-sp')
  await expect(page.locator('[data-fact="consent"]')).toHaveText('reject-optional')
  await expect(page.locator('[data-fact="order"]')).toHaveText(/chain|try/)
  await action(page, 'reset').click()
  await atScreen(page, 'cookies-settings')
  await expect(page.locator('[data-developer]')).toHaveCount(0)
})

test('the sitemap lists the canonical pages, and each says the same of itself', async ({ site }) => {
  const robots = await (await fetch(`${site.url}/robots.txt`)).text()
  expect(robots).toContain(`Sitemap: ${site.url}/sitemap.xml`)
  const sitemap = await (await fetch(`${site.url}/sitemap.xml`)).text()
  const pages = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(match => match[1] ?? '')
  expect(pages.length).toBeGreaterThan(20)
  for (const page of pages) {
    const answer = await fetch(page, { redirect: 'manual' })
    expect(answer.status, page).toBe(200)
    const html = await answer.text()
    expect(html).toContain(`<link rel="canonical" href="${page}">`)
    for (const language of [...LANGUAGES, 'x-default'])
      expect(html, page).toContain(`hreflang="${language}" href="${site.url}`)
    expect(html).not.toContain('content="noindex"')
  }
})
