/** Whoever is wary of a gift types its check word: with and without scripts, in three languages. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { printedCheckWord } from '#domain/card/check-word.ts'
import { monthOf } from '#domain/dates.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import { buyThroughApi, giftPath, inviteThroughApi, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, type Language, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en, contextOptions: { reducedMotion: 'reduce' } })

const wordOf = (key: string) => printedCheckWord(checkWordOf(key))
const titleIs = (page: Page, language: Language, key: string) =>
  expect(page.locator('h1')).toHaveText(said(language, key))

async function ask(page: Page, language: Language, word: string): Promise<void> {
  await page.goto(`/${language}/is-this-real`)
  await page.locator('#word').fill(word)
  await action(page, 'check-word').click()
}

for (const scripts of [true, false])
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts })

    for (const language of LANGUAGES)
      test(`a check word tells in ${language} that the gift was made here, and neither whose nor how much`, async ({
        page,
        site,
        watch,
      }) => {
        watch.expectFault(/status of 404/)
        // The month of its making, in Madrid: of before and after it, since a month may end meanwhile.
        const thisMonth = () => monthOf(Date.now(), language, 'Europe/Madrid')
        const before = thisMonth()
        const { privateKey } = await buyThroughApi(site, { sender: 'Íñigo', language })
        const madeIn = new RegExp(`${before}|${thisMonth()}`)
        const word = wordOf(privateKey)
        const addresses: string[] = []
        page.on('request', request => void addresses.push(request.url()))

        await ask(page, language, word.toLowerCase().replaceAll('-', ' '))
        await titleIs(page, language, 'is-this-real-yes-title')
        const main = page.locator('main')
        await expect(main).toContainText(madeIn)
        await expect(main).toContainText(said(language, 'is-this-real-there'))
        await expect(main).toContainText(new URL(site.url).host)
        for (const secret of ['Íñigo', '€', privateKey]) await expect(main).not.toContainText(secret)
        if (scripts) await expectAccessible(page, `yes, in ${language}`)

        await redeemThroughApi(site, privateKey, { 'ngo-msf': 50 })
        await ask(page, language, word)
        await expect(main).toContainText(said(language, 'is-this-real-used'))

        // Unknown and malformed: the same answer, but for what was typed.
        const answers: string[] = []
        for (const wrong of ['BCDF-GHJK-MNPQ', 'a word']) {
          await ask(page, language, wrong)
          await titleIs(page, language, 'is-this-real-no-title')
          answers.push((await main.textContent()) ?? '')
        }
        expect(answers[1]).toBe(answers[0])
        await expect(action(page, 'contact').last()).toHaveAttribute('href', /^mailto:/)
        if (scripts) await expectAccessible(page, `no, in ${language}`)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

        // The word travels in the form: no address, log or table has it.
        const kept = [addresses.join(), readFileSync(site.logFile, 'utf8'), JSON.stringify(dump(site))].join()
        for (const written of [word, checkWordOf(privateKey)])
          expect(kept.toLowerCase()).not.toContain(written.toLowerCase())
      })

    test('the answer stays when the language is changed', async ({ page, site }) => {
      const { key } = await inviteThroughApi(site)
      await ask(page, 'en', wordOf(key))
      await titleIs(page, 'en', 'is-this-real-yes-title')
      await expect(page.locator('main')).toContainText(said('en', 'is-this-real-open'))
      await page.locator('details.switch summary').click()
      await page.locator('[data-language="fr"]').click()
      await titleIs(page, 'fr', 'is-this-real-yes-title')
      await expect(page.locator('#word')).toHaveValue(wordOf(key))
    })
  })

test('the giver has the word on the page after the payment, and each page where somebody may be wary leads to it', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 404/)
  const { sessionId, privateKey } = await buyThroughApi(site, { language: 'en' })
  await page.goto(`${senderPath('en', 'no-refresh/donation-success')}?session_id=${sessionId}`)
  await expect(page.getByText(wordOf(privateKey)).first()).toBeVisible()
  const { sessionId: invited, key } = await inviteThroughApi(site, { language: 'en' })
  await page.goto(`${senderPath('en', 'no-refresh/volunteering-success')}?session_id=${invited}`)
  await expect(page.getByText(wordOf(key)).first()).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('[data-paper]').getByText(wordOf(key))).toBeVisible()
  await page.emulateMedia({ media: 'screen' })

  // Whoever opens a card first is led to its first screen, where the question about cookies has the foot to itself.
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await page.goto(`/gift-card-volunteering/${key}/introduction`)
  for (const path of [
    '/en/who-we-are',
    giftPath(privateKey, 'introduction-4'),
    `/gift-card-volunteering/${key}/introduction-2`,
    giftPath('a'.repeat(32)),
  ]) {
    await page.goto(path)
    await page.locator('a[href="/en/is-this-real"]').click()
    await atScreen(page, 'is-this-real')
  }
})
