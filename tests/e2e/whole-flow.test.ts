import type { Page, Request } from '@playwright/test'
import { giftLinkPath } from '#paths'
import { giftPath, postJson, readCard } from '#tests/support/e2e/api.ts'
import { arrive, buyACard, type Purchase } from '#tests/support/e2e/buyer.ts'
import { readMail } from '#tests/support/e2e/inbox.ts'
import { amountsShown, openGift, STORY, showList, skipStory, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, type Language, LOCALES, said } from '#tests/support/e2e/words.ts'

/** How each language writes the split of 50 € as 20, 20 and 10. */
const GIVEN = {
  es: { 'ngo-msf': '20,00 €', 'ngo-unicef': '20,00 €', 'ngo-irc': '10,00 €' },
  en: { 'ngo-msf': '€20.00', 'ngo-unicef': '€20.00', 'ngo-irc': '€10.00' },
  fr: { 'ngo-msf': '20,00 €', 'ngo-unicef': '20,00 €', 'ngo-irc': '10,00 €' },
} as const

/** 50 € in each language's own prices, and what Íñigo adds for the makers. */
const PURCHASES: Readonly<Record<Language, Purchase>> = {
  es: { language: 'es', packageId: 'their water', sender: 'Íñigo', support: 30 },
  en: { language: 'en', packageId: 'their food', currency: 'EUR', sender: 'Íñigo', support: 10 },
  fr: { language: 'fr', packageId: 'their water', sender: 'Íñigo', support: 0 },
}

/** The ways through the story that a recipient may take. */
const WAYS: Readonly<Record<Language, (page: Page) => Promise<void>>> = {
  es: tapThrough,
  en: skipStory,
  fr: page => action(page, 'gift').click(),
}

/** Waits out every screen, by the browser's clock, and taps anywhere. */
async function tapThrough(page: Page): Promise<void> {
  for (const [screen, wait] of STORY) {
    await atScreen(page, screen)
    await page.clock.runFor(wait)
    await page.locator('main').click({ position: { x: 30, y: 60 } })
  }
}

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({
      locale: LOCALES[language],
      permissions: ['clipboard-read', 'clipboard-write'],
      // The waits are the same in every language: one of them waits.
      ...(language === 'es' ? {} : STILL),
    })

    test('a card is bought, given, split 20/20/10, and used up once', async ({ page, visitor, site }) => {
      await arrive(page)
      const { preview, secret, email } = await buyACard(page, PURCHASES[language])
      const privateKey = secret.split('/')[4] ?? ''
      const publicKey = preview.split('/')[4] ?? ''

      await test.step('the links are for this site, and the gift’s own is copied whole', async () => {
        expect(secret).toBe(`${site.url}/gift-card/${privateKey}/introduction/final`)
        expect(preview).toBe(`${site.url}/gift-card/${publicKey}/introduction/preview`)
        expect(privateKey).toMatch(/^[a-z2-7]{32}$/)
        expect(publicKey).not.toBe(privateKey)
        expect(page.url()).not.toContain('session_id')
        await action(page, 'copy').click()
        await expect(page.locator('.copied')).toHaveText(said(language, 'donation-success-copied'))
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
      })

      await test.step('one mail brings the links of both keys and where the money is, its subject none', async () => {
        await expect(page.locator('[data-mail]')).toHaveAttribute('data-mail', 'sent')
        const mail = await readMail(page, email)
        expect(mail.subject).toBe(said(language, 'mail-confirmation-subject'))
        const link = (key: string, place?: 'passport') =>
          site.url + giftLinkPath({ themeId: 'palestine', language }, key, place)
        const links = new Set([link(privateKey), link(publicKey), link(publicKey, 'passport')])
        expect(new Set(mail.letterLinks)).toEqual(links)
        expect(new Set(mail.textLinks)).toEqual(links)
      })

      await test.step('the preview tells the whole story and gives nothing', async () => {
        const curious = await visitor({ locale: LOCALES[language] })
        const calls: string[] = []
        curious.on('request', request => void (request.url().includes('/api/') && calls.push(request.url())))
        await openGift(curious, preview)
        await expect(curious.getByText(said(language, 'receiver-preview-notice'))).toBeVisible()
        await skipStory(curious)
        await splitAs(curious, { 'ngo-msf': 50 })
        await action(curious, 'confirm').click()
        await atScreen(curious, 'thanks')
        await expect(curious.getByText(said(language, 'thanks-preview'))).toBeVisible()
        expect(calls).toEqual([])
        expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
      })

      const recipient = await visitor({ locale: LOCALES[language] })
      const posts: Request[] = []
      recipient.on('request', request => {
        if (request.method() === 'POST' && request.url().endsWith(`/${privateKey}`)) posts.push(request)
      })
      await test.step('the gift’s link begins the story and leads to the list', async () => {
        if (language === 'es') await recipient.clock.install()
        await openGift(recipient, secret)
        expect(recipient.url()).toBe(`${site.url}/gift-card/${privateKey}/introduction-1/final`)
        await expect(recipient.locator('h1')).toHaveText(
          said(language, 'introduction-1-title-named', { name: 'Íñigo' }),
        )
        await WAYS[language](recipient)
        await showList(recipient)
      })

      await test.step('50 € are split and read back to the cent before anything is sent', async () => {
        await splitAs(recipient, { 'ngo-msf': 20, 'ngo-unicef': 20, 'ngo-irc': 10 })
        expect(await amountsShown(recipient)).toEqual(GIVEN[language])
        expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
      })

      await test.step('thanks says what was given', async () => {
        await action(recipient, 'confirm').click()
        await atScreen(recipient, 'thanks')
        expect(await amountsShown(recipient)).toEqual(GIVEN[language])
      })

      await test.step('the link opened again says so, and to its recipient also to whom it went', async () => {
        await recipient.goto(secret)
        await atScreen(recipient, 'consumed')
        await expect(recipient.locator('h1')).toHaveText(said(language, 'consumed-title'))
        expect(await amountsShown(recipient)).toEqual(GIVEN[language])
        await recipient.goto(giftPath(privateKey, 'thanks'))
        await atScreen(recipient, 'thanks')
        expect(await amountsShown(recipient)).toEqual(GIVEN[language])
      })

      await test.step('its giver, who has the same link, sees that and when it was used', async () => {
        for (const link of [secret, giftPath(privateKey, 'thanks')]) {
          await page.goto(link)
          await atScreen(page, 'consumed')
          await expect(page.locator('main .lead')).toHaveText(/\d{4}/)
          await expect(page.locator('[data-allocation]')).toHaveCount(0)
        }
      })

      await test.step('another split is refused, the same one answers the same', async () => {
        const path = `/api/ajuda/giftcard/${privateKey}`
        expect(posts).toHaveLength(1)
        const other = await postJson(site, path, {
          selected_ngos: [{ ngoSelected: 'ngo-msf', creditSelected: 50 }],
        })
        expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([
          409,
          'card-consumed',
        ])
        const same = await postJson(site, path, posts[0]?.postDataJSON())
        expect(same.status).toBe(200)
        expect(await same.json()).toEqual({
          allocations: [
            { ngoSelected: 'ngo-msf', creditSelected: 20, amount: 2_000, currency: 'EUR' },
            { ngoSelected: 'ngo-unicef', creditSelected: 20, amount: 2_000, currency: 'EUR' },
            { ngoSelected: 'ngo-irc', creditSelected: 10, amount: 1_000, currency: 'EUR' },
          ],
        })
      })
    })
  })
}
