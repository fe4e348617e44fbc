import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, postJson } from '#tests/support/e2e/api.ts'
import { placesOf } from '#tests/support/e2e/dump.ts'
import { openLetter } from '#tests/support/e2e/inbox.ts'
import { readBack, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en })

const WORDS = 'Thank you, it was a good evening'

test('the giver is told by a message of the recipient’s own, with the names and no key or amount', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async ({ text, url }: ShareData) => {
        document.documentElement.dataset.shared = JSON.stringify({ text, url })
      },
    })
  })
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 20, 'ngo-wfp': 30 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await action(page, 'tell').click()
  const shared = page.locator('html')
  await expect(shared).toHaveAttribute('data-shared', /Médecins Sans Frontières|Doctors Without Borders/)
  const told = (await shared.getAttribute('data-shared')) ?? ''
  expect(told).not.toContain(privateKey)
  expect(told).not.toMatch(/\d|http/)
  await atScreen(page, 'thanks')
  const link = (await action(page, 'tell').getAttribute('href')) ?? ''
  expect(link).toContain('https://wa.me/?text=')
  expect(decodeURIComponent(link)).not.toMatch(/\{\{|€/)
})

/** What has to be mended has the focus, and why stands where the recipient looks. */
async function isMended(page: Page, name: 'tell' | 'words'): Promise<void> {
  const field = page.locator(`[name="${name}"]`)
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('#tell-said')).toBeInViewport({ ratio: 1 })
}

/** What came of it stands where the recipient looks, whom a screen reader tells. */
async function isSeen(page: Page): Promise<void> {
  await expect(page.locator('#tell-said')).toBeFocused()
  await expect(page.locator('#tell-said')).toBeInViewport({ ratio: 1 })
}

test('the giver is told by mail only what is ticked, once', async ({ page, site, watch }) => {
  watch.expectFault(/422/)
  // The letter stands in a frame that has no storage.
  await page.addInitScript(() => void (self === top && sessionStorage.setItem('gift:opened', '1')))
  const { privateKey, email } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await expect(action(page, 'answer')).toBeHidden()
  const sent: string[] = []
  page.on('request', request => void (request.method() === 'POST' && sent.push(request.url())))
  // Also where a browser shows the button all the same, or Enter is pressed.
  await page.locator('[name="tell"]').press('Enter')
  await page.locator('form.tell').evaluate(form => (form as HTMLFormElement).requestSubmit())
  await expect(page.locator('#tell-said')).toHaveText(said('en', 'thanks-tell-tick'))
  await isMended(page, 'tell')
  expect(sent.filter(url => url.includes('giftcard-answer'))).toEqual([])
  await page.locator('[name="tell"]').check()
  await expect(page.locator('#tell-said')).toBeEmpty()
  await expect(page.locator('[name="tell"]')).not.toHaveAttribute('aria-invalid')
  await page.locator('[name="words"]').fill('see https://example.org')
  await action(page, 'answer').evaluate(button => button.scrollIntoView({ block: 'end' }))
  await action(page, 'answer').click()
  await expect(page.locator('#tell-said')).toHaveText(/can’t be sent/)
  await isMended(page, 'words')
  await page.keyboard.press('Tab')
  await expect(action(page, 'answer')).toBeFocused()
  await page.locator('[name="words"]').fill(WORDS)
  // A tap beside the form does not lead away from what is written.
  await page.locator('h1').click()
  await atScreen(page, 'thanks')
  await action(page, 'answer').click()
  await expect(page.locator('#tell-said')).toHaveText(/^Done/)
  await expect(page.locator('[name="words"]')).toHaveCount(0)
  const letter = await openLetter(page, email, 2)
  await expect(letter.locator('body')).toContainText(WORDS)
  await expect(letter.locator('body')).not.toContainText(/Médicos/)
  // Once the letter has it, nothing else keeps it.
  await expect.poll(() => placesOf(site, WORDS)).toEqual([])
})

test('while something in the form is wrong the title says so, also where the thanks are shown again', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/422/)
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await splitAs(page, { 'ngo-msf': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  for (const isShownAgain of [false, true]) {
    if (isShownAgain) await page.reload()
    await atScreen(page, 'thanks')
    const plain = await page.title()
    const wrong = said('en', 'common-error-title', { title: plain })
    await page.locator('form.tell').evaluate(form => (form as HTMLFormElement).requestSubmit())
    await isMended(page, 'tell')
    await expect(page).toHaveTitle(wrong)
    await page.locator('[name="tell"]').check()
    await expect(page).toHaveTitle(plain)
    await page.locator('[name="words"]').fill('see https://example.org')
    await action(page, 'answer').click()
    await isMended(page, 'words')
    await expect(page).toHaveTitle(wrong)
    await page.locator('[name="words"]').fill(WORDS)
    await expect(page).toHaveTitle(plain)
    if (!isShownAgain) continue
    await action(page, 'answer').click()
    await expect(page.locator('#tell-said')).toHaveText(/^Done/)
    await expect(page).toHaveTitle(plain)
  }
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, ...STILL })

  test('a receipt of another card tells nobody, and says why', async ({ page, site, watch }) => {
    watch.expectFault(/409/)
    const thanks = async () => {
      const { privateKey } = await buyThroughApi(site)
      await page.goto(giftPath(privateKey, 'select-ngo'))
      await page.locator('[data-ngo="ngo-msf"] input').fill('50')
      await readBack(page)
      await action(page, 'confirm').click()
      await atScreen(page, 'thanks')
      return page.locator('[data-tell] [name="receipt"]')
    }
    const receipt = await (await thanks()).inputValue()
    const field = await thanks()
    await field.evaluate((input, value) => {
      ;(input as HTMLInputElement).value = value
    }, receipt)
    await page.locator('[name="tell"]').check()
    await page.locator('[name="words"]').fill('for whoever gave me the other one')
    await action(page, 'answer').click()
    await expect(page.locator('main .error:focus')).toHaveText(said('en', 'problem-receipt-of-another-card'))
    await expect(page).toHaveTitle(/^Error: /)
    await expect(page.locator('main')).not.toContainText(/Médicos/)
    const state = await postJson(site, '/api/ajuda/giftcard-receipt', { receiptKey: receipt })
    expect(await state.json()).toMatchObject({ answer: 'open' })
  })

  test('the giver is told by mail as well, and what was refused stays written', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/422/)
    const other = 'Another line of thanks'
    const { privateKey, email } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'select-ngo'))
    await page.locator('[data-ngo="ngo-msf"] input').fill('50')
    await readBack(page)
    await action(page, 'confirm').click()
    await atScreen(page, 'thanks')
    await page.locator('[name="tell"]').check()
    await page.locator('[name="where"]').check()
    await page.locator('[name="words"]').fill('call 600 123 456')
    await action(page, 'answer').click()
    await expect(page.locator('#tell-said')).toHaveText(/can’t be sent/)
    await isMended(page, 'words')
    await expect(page).toHaveTitle(/^Error: /)
    await expect(page.locator('[name="words"]')).toHaveValue('call 600 123 456')
    await expect(page.locator('[name="where"]')).toBeChecked()
    await page.locator('[name="words"]').fill(other)
    await action(page, 'answer').click()
    await expect(page.locator('#tell-said')).toHaveText(/^Done/)
    await isSeen(page)
    const letter = await openLetter(page, email, 2)
    await expect(letter.locator('body')).toContainText(other)
    await expect(letter.locator('body')).toContainText(/Médicos/)
  })
})
