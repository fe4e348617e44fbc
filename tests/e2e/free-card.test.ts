import { giftLinkPath } from '#paths'
import { newAddress, postJson } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { arrive, readLinks, senderPath } from '#tests/support/e2e/buyer.ts'
import { readMail } from '#tests/support/e2e/inbox.ts'
import { openGift, skipStory, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const TAGS = { es: 'regalo-semilla', en: 'gift-seed', fr: 'cadeau-graine' } as const
const CLAIM = '/api/ajuda/free-giftcard-donatius/get'

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('a campaign’s visitor claims a card, gives it away, and thanks leads to the packages', async ({
      page,
      site,
      visitor,
    }) => {
      const email = newAddress()
      expect(await arrive(page, `/${TAGS[language].toUpperCase()}`)).toBe('packages-donation')
      await expect(page.locator('[data-cards] > li:visible').first()).toHaveAttribute('data-kind', 'free')
      await page.locator('[data-kind="free"] a').click()
      await screenIs(page, 'free-gift-card-campaign')
      await expectAccessible(page, 'free-gift-card-campaign')
      await page.getByLabel(said(language, 'free-gift-card-campaign-email')).fill(` ${email.toUpperCase()} `)
      await action(page, 'continue').click()
      await atScreen(page, 'free-gift-card-campaign-checkout')
      const links = await readLinks(page)
      expect(page.url()).not.toContain('privateKey')
      expect(links.secret).toContain('/gift-card/')

      const mail = await readMail(page, email.toUpperCase().replace(/@.*/, '@example.org'))
      const [privateKey = '', publicKey = ''] = [links.secret, links.preview].map(link => link.split('/')[4])
      const unfoldsAs = { themeId: 'palestine', language }
      expect(mail.letterLinks).toEqual(
        [
          giftLinkPath(unfoldsAs, privateKey),
          giftLinkPath(unfoldsAs, publicKey),
          giftLinkPath(unfoldsAs, publicKey, 'passport'),
        ].map(path => site.url + path),
      )

      const recipient = await visitor({ locale: LOCALES[language], reducedMotion: 'reduce' })
      await openGift(recipient, links.secret)
      await skipStory(recipient)
      await splitAs(recipient, { 'ngo-msf': 5 })
      await action(recipient, 'confirm').click()
      await atScreen(recipient, 'thanks')
      await action(recipient, 'continue').click()
      await atScreen(recipient, 'packages-donation')
    })

    test('what is wrong with an address is said beside it, and nothing typed is lost', async ({
      page,
      site,
      watch,
    }) => {
      watch.expectFault(/409/)
      await arrive(page, `/${TAGS[language]}`)
      await page.goto(senderPath(language, 'free-gift-card-campaign'))
      const field = page.locator('#claim-email')
      const error = page.locator('#claim-email-error')
      await action(page, 'continue').click()
      await expect(error).toContainText(
        said(language, 'donation-free-giftcard-campaign-input-error-required'),
      )
      await field.fill('ana lopez@example.org')
      await action(page, 'continue').click()
      await expect(error).toContainText(
        said(language, 'donation-free-giftcard-campaign-input-error-mail-incorrect'),
      )
      await expect(field).toBeFocused()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expectAccessible(page, 'free-gift-card-campaign with an error')

      const email = newAddress()
      const body = { fromEmail: email, campaign_id: TAGS[language], currency: 'EUR' }
      expect((await postJson(site, CLAIM, body)).status).toBe(200)
      await field.fill(email)
      await action(page, 'continue').click()
      await expect(error).toContainText(said(language, 'problem-email-already-used'))
      await expect(field).toHaveValue(email)
      await expect(action(page, 'packages')).toBeVisible()
    })
  })
}

test.describe('the other states', () => {
  test.use({ locale: LOCALES.es })

  test('sold out: the button gives way to a link to the packages', async ({ page, watch }) => {
    watch.expectFault(/410/)
    await arrive(page, `/${TAGS.es}`)
    await page.goto(senderPath('es', 'free-gift-card-campaign'))
    await page.route(`**${CLAIM}*`, route =>
      route.fulfill({ status: 410, json: { code: 'finished-campaign-offer' } }),
    )
    await page.locator('#claim-email').fill('ana@example.org')
    await action(page, 'continue').click()
    await expect(page.locator('[data-lead]')).toContainText(said('es', 'problem-finished-campaign-offer'))
    await expect(action(page, 'continue')).toBeHidden()
    await action(page, 'packages').click()
    await atScreen(page, 'packages-donation')
  })

  test('a campaign that is sold out, or runs no more, is not offered', async ({ page }) => {
    await arrive(page, `/${TAGS.es}`)
    const pages = /\/intro\/(packages-donation|free-gift-card-campaign)$/
    const offering = async (offer: string | undefined) => {
      await page.unroute(pages)
      await page.route(pages, async route => {
        const answer = await route.fetch()
        const escaped = (text: string) => text.replaceAll('"', '&quot;')
        const html = await answer.text()
        const now = JSON.stringify(offer ? { [TAGS.es]: offer } : {})
        const body = html.replace(/data-offers="[^"]*"/, `data-offers="${escaped(now)}"`)
        await route.fulfill({ response: answer, body })
      })
    }
    const free = page.locator('[data-kind="free"]')
    const note = page.locator('[data-sold-out]')
    for (const [offer, code, isNoted] of [
      ['sold-out', 'problem-finished-campaign-offer', true],
      [undefined, 'problem-invalid-campaign', false],
    ] as const) {
      await offering(offer)
      await page.goto(senderPath('es', 'packages-donation'))
      await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
      await expect(free).toBeHidden()
      await expect(note).toBeVisible({ visible: isNoted })
      await page.goto(senderPath('es', 'free-gift-card-campaign'))
      await expect(page.locator('[data-lead]')).toContainText(said('es', code))
      await expect(action(page, 'continue')).toBeHidden()
    }
    await offering('offered')
    await page.goto(senderPath('es', 'packages-donation'))
    await expect(free).toBeVisible()
    await expect(free.locator('.amount')).toHaveText('5 €')
    await expect(note).toBeHidden()
  })

  test('no campaign: says so, and leads to the packages', async ({ page }) => {
    await page.goto(senderPath('es', 'free-gift-card-campaign'))
    await expect(page.locator('[data-lead]')).toContainText(said('es', 'problem-invalid-campaign'))
    await expect(action(page, 'packages')).toBeVisible()
  })

  test('offline: retry is the same press, and gives the card', async ({ page, watch }) => {
    watch.expectFault(/ERR_FAILED/)
    await arrive(page, `/${TAGS.es}`)
    await page.goto(senderPath('es', 'free-gift-card-campaign'))
    const keys: (string | undefined)[] = []
    await page.route(`**${CLAIM}*`, async route => {
      keys.push(route.request().headers()['idempotency-key'])
      // The card is given, and the answer is lost.
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.locator('#claim-email').fill(newAddress())
    await action(page, 'continue').click()
    await expect(action(page, 'continue')).toHaveText(said('es', 'common-retry'))
    await expect(action(page, 'continue')).toHaveAttribute('data-state', 'retry')
    await action(page, 'continue').click()
    await atScreen(page, 'free-gift-card-campaign-checkout')
    await readLinks(page)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  test('the checkout without a card says what it is for', async ({ page }) => {
    await page.goto(senderPath('es', 'no-refresh/free-gift-card-campaign-checkout'))
    await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'absent')
    await expect(page.getByText(said('es', 'free-gift-card-campaign-checkout-absent'))).toBeVisible()
  })
})
