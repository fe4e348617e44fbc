/** A partner tries the widget against the sandbox: a card is sold there, and nobody can take it for a gift. */
import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { buyFrom, openPartner, test as withPartner } from '#tests/support/e2e/partner-page.ts'
import { openGift } from '#tests/support/e2e/recipient.ts'
import { startSite } from '#tests/support/e2e/server.ts'
import { expect, STILL } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

const test = withPartner.extend({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => {
      const own = await startSite({ SANDBOX: 'yes' })
      await use(own)
      await own.stop()
    },
    { scope: 'worker' },
  ],
})

test.use({ ...STILL, locale: LOCALES.en })

const notice = (page: Page) => page.locator('[data-sandbox]')

test('a partner’s page sells a card in the sandbox, which says on every screen that it is worth nothing', async ({
  page,
  partner,
  watch,
}) => {
  watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2/)
  await openPartner(page, partner, 'en')
  const { secret } = await buyFrom(page)
  await expect(notice(page)).toHaveText(said('en', 'sandbox-notice'))
  await openGift(page, secret)
  await expect(notice(page)).toHaveText(said('en', 'sandbox-notice'))
  for (const language of LANGUAGES) {
    await page.goto(`/${language}/intro/packages-donation`)
    await expect(notice(page)).toHaveText(said(language, 'sandbox-notice'))
    await expectAccessible(page, `packages of the sandbox in ${language}`)
  }
})
