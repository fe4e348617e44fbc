import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { splitAs } from '#tests/support/e2e/recipient.ts'
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

test('the giver is told by mail only what is ticked, once', async ({ page, site, watch }) => {
  watch.expectFault(/422/)
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  const { privateKey } = await buyThroughApi(site)
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
  expect(sent.filter(url => url.includes('giftcard-answer'))).toEqual([])
  await page.locator('[name="tell"]').check()
  await page.locator('[name="words"]').fill('see https://example.org')
  await action(page, 'answer').click()
  await expect(page.locator('#tell-said')).toHaveText(/can’t be sent/)
  await page.locator('[name="words"]').fill(WORDS)
  // A tap beside the form does not lead away from what is written.
  await page.locator('h1').click()
  await atScreen(page, 'thanks')
  await action(page, 'answer').click()
  await expect(page.locator('#tell-said')).toHaveText(/^Done/)
  await expect(page.locator('[name="words"]')).toHaveCount(0)
  const rows = dump(site).gift_answers ?? []
  expect(rows.filter(({ words }) => words === WORDS)).toMatchObject([{ names: 'kept' }])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, ...STILL })

  test('the giver is told by mail as well, and what was refused stays written', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/422/)
    const other = 'Another line of thanks'
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'select-ngo'))
    await page.locator('[data-ngo="ngo-msf"] input').fill('50')
    await action(page, 'continue').click()
    await action(page, 'confirm').click()
    await atScreen(page, 'thanks')
    await page.locator('[name="tell"]').check()
    await page.locator('[name="where"]').check()
    await page.locator('[name="words"]').fill('call 600 123 456')
    await action(page, 'answer').click()
    await expect(page.locator('#tell-said')).toHaveText(/can’t be sent/)
    await expect(page.locator('[name="words"]')).toHaveValue('call 600 123 456')
    await expect(page.locator('[name="where"]')).toBeChecked()
    await page.locator('[name="words"]').fill(other)
    await action(page, 'answer').click()
    await expect(page.locator('#tell-said')).toHaveText(/^Done/)
    const rows = dump(site).gift_answers ?? []
    expect(rows.filter(({ words }) => words === other)).toMatchObject([{ names: 'said' }])
  })
})
