import type { Page } from '@playwright/test'
import { isLong } from '#tests/support/counts.ts'
import {
  type BoughtCard,
  buyManyThroughApi,
  buyThroughApi,
  giftPath,
  inviteThroughApi,
  invoiceThroughApi,
  newAddress,
  redeemThroughApi,
} from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { barriers } from '#tests/support/e2e/barriers.ts'
import { pressPay, senderPath, standAtPrepayment } from '#tests/support/e2e/buyer.ts'
import {
  invitationScreens,
  invoiceScreens,
  mailedScreens,
  manyScreens,
  newsletterScreens,
  positionScreen,
  receiverScreens,
  type Screen,
  senderScreens,
  successScreen,
  usedScreen,
  wellKnownVisitor,
} from '#tests/support/e2e/every-screen.ts'
import { readMail } from '#tests/support/e2e/inbox.ts'
import { splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, screenIs, tryAction } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES } from '#tests/support/e2e/words.ts'

const THEMES = ['palestine', 'lebanon', 'ukraine', 'christmas', 'blueText', 'greenText'] as const

/** The long run looks at each of the recipient's screens in all six themes, the usual one in two of them. */
const APART = isLong ? 1 : 3

const usedUp = async (site: Site, theme = 'palestine'): Promise<BoughtCard> => {
  const card = await buyThroughApi(site, { theme, sender: 'Íñigo' })
  await redeemThroughApi(site, card.privateKey, { 'ngo-msf': 20, 'ngo-irc': 10 })
  return card
}

const MISSING: Screen = {
  name: 'doesnt-exist',
  open: async page => {
    await page.goto(giftPath('a'.repeat(32), 'doesnt-exist'))
    await atScreen(page, 'doesnt-exist')
  },
}

/** As much as a name and a mission may hold, without a place to break a line. */
const LONG = { sender: 'W'.repeat(80), mission: 'm'.repeat(200) }

/** As long as a name on paper may be. */
const LONG_NAME = 'W'.repeat(80)

/** What stands further right than the window ends. */
const overflow = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document.documentElement.scrollWidth <= innerWidth
      ? []
      : [...document.body.querySelectorAll('*')]
          .filter(part => part.getBoundingClientRect().right > innerWidth + 1)
          .map(part => `${part.tagName}.${part.className} ${part.textContent?.slice(0, 40)}`),
  )

/** The addresses on this site that a screen's own controls link to; what the operator writes is the operator's. */
const ownLinks = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.links]
      .filter(link => link.origin === location.origin && !link.hash && !link.closest('.prose'))
      .map(link => link.pathname + link.search),
  )

const NARROW = { width: 320, height: 640 }
/** How each language is looked at: as it is, with colours of the visitor's own, as 1280 × 1024 at 400 %. */
const LOOKS = {
  es: { viewport: { ...NARROW, height: 256 } },
  en: { viewport: NARROW, contextOptions: { reducedMotion: 'reduce', forcedColors: 'active' } },
  fr: { viewport: NARROW },
} as const

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({
      locale: LOCALES[language],
      contextOptions: { reducedMotion: 'reduce' },
      ...LOOKS[language],
    })

    test('every screen fits a window of 320 px, keeps nobody out, breaks no policy, asks nobody else, and links to what there is', async ({
      page,
      site,
      watch,
    }) => {
      watch.expectFault(/status of 404/)
      await wellKnownVisitor(page)
      const links = new Set<string>()
      const email = newAddress()
      const card = await buyThroughApi(site, {
        language,
        email,
        sender: 'Maximiliane von Hohenstauffen-Lichtenberg',
      })
      for (const screen of [
        ...senderScreens(language),
        successScreen(language, card.sessionId),
        ...receiverScreens(card),
        usedScreen(await usedUp(site)),
        MISSING,
        ...invitationScreens(language, await inviteThroughApi(site, { language, ...LONG })),
        ...mailedScreens(language, email),
        ...manyScreens(language, await buyManyThroughApi(site, `${LONG_NAME}\nAna,Hola`, { language })),
        ...invoiceScreens(language, await invoiceThroughApi(site, `${LONG_NAME}\nAna`, { language })),
        ...newsletterScreens(language),
        // Last, since it answers the consent question.
        positionScreen(language),
      ]) {
        await screen.open(page)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
        await expect(page.locator('h1')).toHaveCount(1)
        expect(await overflow(page), screen.name).toEqual([])
        expect(await barriers(page), screen.name).toEqual([])
        for (const link of await ownLinks(page)) links.add(link)
      }
      expect(links.size).toBeGreaterThan(20)
      for (const link of links) {
        const answer = await fetch(site.url + link)
        expect(answer.status, link).toBe(200)
        // What there is not would lead to the entry.
        const isEntry = (await answer.text()).includes('data-screen="entry"')
        expect(isEntry, link).toBe(/^\/(es|en|fr)?$/.test(link))
      }
    })
  })
}

test.describe('with letters twice as large', () => {
  test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

  test('every screen still fits the width of a phone', async ({ page, site, watch }) => {
    watch.expectFault(/status of 404/)
    await wellKnownVisitor(page)
    const card = await buyThroughApi(site, { sender: 'Íñigo' })
    for (const screen of [
      ...senderScreens('es'),
      successScreen('es', card.sessionId),
      ...receiverScreens(card),
      ...invitationScreens('es', await inviteThroughApi(site, LONG)),
    ]) {
      await screen.open(page)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      expect(await overflow(page), screen.name).toEqual([])
    }
  })
})

test.describe('for everybody', () => {
  test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

  test('the buyer’s screens with a menu open, something missing or something failed', async ({
    page,
    watch,
  }) => {
    watch.expectFault(/status of (404|502)/)
    await page.goto(senderPath('es', 'packages-donation'))
    await screenIs(page, 'packages-donation')
    await page.locator('details.switch summary').click()
    await action(page, 'currency').click()
    await tryAction(page, 'continue')
    await expectAccessible(page, 'packages-donation, open')

    await page.goto(`${senderPath('es', 'no-refresh/donation-success')}?session_id=cs_test_unknown`)
    await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'failed')
    await expectAccessible(page, 'donation-success, failed')

    await standAtPrepayment(page, { language: 'es' })
    await page.route('**/gateway*', route =>
      route.fulfill({
        status: 502,
        contentType: 'application/problem+json',
        body: '{"code":"provider-unavailable"}',
      }),
    )
    await pressPay(page)
    await expect(action(page, 'pay')).toHaveAttribute('data-retries', '1')
    await expectAccessible(page, 'donation-prepayment, failed')

    await page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage]) storage.removeItem('gift:sender')
    })
    await page.goto(senderPath('es', 'donation-sender-name'))
    await screenIs(page, 'donation-sender-name')
    await tryAction(page, 'continue')
    await expectAccessible(page, 'donation-sender-name, nothing chosen')
    await page.locator('[data-sender="own"] label').click()
    await tryAction(page, 'continue')
    await expectAccessible(page, 'donation-sender-name, no name')
  })

  test('the recipient’s screens with the menu open, a refusal, or nothing there', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of (404|503)/)
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await page.locator('details.switch summary').click()
    await expectAccessible(page, 'introduction-1, menu')
    await page.route('**/api/ajuda/giftcard/*', route => route.fulfill({ status: 503, body: '' }))
    await action(page, 'gift').click()
    await splitAs(page, { 'ngo-msf': 1 })
    await action(page, 'confirm').click()
    await expect(action(page, 'retry')).toBeVisible()
    await expectAccessible(page, 'select-ngo, refused')
    await MISSING.open(page)
    await expectAccessible(page, 'doesnt-exist')
  })

  test('the stand-ins for the payment page and the mailbox', async ({ page, site, watch }) => {
    watch.expectFault(/status of 404/)
    const { sessionId, email } = await buyThroughApi(site)
    await standAtPrepayment(page, { language: 'es' })
    await pressPay(page)
    await atScreen(page, 'hosted-payment')
    await expectAccessible(page, 'hosted-payment')
    await action(page, 'pay').click()
    await expect(page.locator('#email-error')).toBeVisible()
    await expectAccessible(page, 'hosted-payment, refused')
    await page.goto(`/c/pay/${sessionId}`)
    await expectAccessible(page, 'hosted-payment, paid')
    await page.goto('/c/pay/cs_test_unknown')
    await expectAccessible(page, 'hosted-payment, unknown')
    await readMail(page, email)
    await expectAccessible(page, 'mail, as text')
    await page.goto('/_local/mail')
    await expectAccessible(page, 'mail, list')
  })

  test('the hint before the list', async ({ page, site }) => {
    const { privateKey } = await buyThroughApi(site)
    await wellKnownVisitor(page)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.clock.install()
    await page.goto(giftPath(privateKey, 'select-ngo'))
    await expect(action(page, 'show-list')).toBeVisible()
    await expectAccessible(page, 'select-ngo, hint')
  })

  for (const [number, theme] of THEMES.entries()) {
    test(`${APART === 1 ? 'each' : 'every third'} of the recipient’s screens in ${theme}`, async ({
      page,
      site,
    }) => {
      await wellKnownVisitor(page)
      const card = await buyThroughApi(site, { theme, sender: 'Íñigo' })
      const screens = [...receiverScreens(card), usedScreen(await usedUp(site, theme))]
      for (const screen of screens.filter((_, index) => index % APART === number % APART)) {
        await screen.open(page)
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
        await expectAccessible(page, `${screen.name} in ${theme}`)
      }
    })
  }
})
