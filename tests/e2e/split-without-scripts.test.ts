import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, readCard, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { amountsShown, STORY } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ javaScriptEnabled: false, locale: LOCALES.es })

const number = (page: Page, ngo: string) => page.locator(`[data-ngo="${ngo}"] input`)

/** Sends the form of a card's split as a browser would. */
function post(site: Site, path: string, fields: Record<string, string>, headers = {}): Promise<Response> {
  const body = new URLSearchParams(fields)
  return fetch(site.url + path, { method: 'POST', redirect: 'manual', body, headers })
}

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    // The waits are the same in every language: one of them waits.
    test.use({ locale: LOCALES[language], ...(language === 'es' ? {} : STILL) })

    test('a card is read, split by a form, read back and given, from link to thanks', async ({
      page,
      site,
    }) => {
      const { privateKey } = await buyThroughApi(site, { sender: 'Íñigo' })
      await page.goto(giftPath(privateKey))
      for (const [screen] of STORY) {
        await atScreen(page, screen)
        await expect(page.locator('h1')).toHaveText(/\S/)
        await action(page, 'continue').click()
      }
      await atScreen(page, 'select-ngo')
      await expect(page.locator('h1:visible')).toHaveText(said(language, 'select-ngo-title'))
      await expect(page.locator('[data-ngo]')).toHaveCount(7)
      await number(page, 'ngo-msf').fill('20')
      await number(page, 'ngo-irc').fill('5')
      await action(page, 'continue').click()
      await expect(page.locator('h1')).toHaveText(said(language, 'select-ngo-confirm-title'))
      expect(Object.keys(await amountsShown(page))).toEqual(['ngo-msf', 'ngo-irc'])
      await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText(/40[.,]00/)

      await action(page, 'cancel').click()
      await expect(number(page, 'ngo-msf')).toHaveValue('20')
      await expect(number(page, 'ngo-irc')).toHaveValue('5')
      await number(page, 'ngo-irc').fill('30')
      await action(page, 'continue').click()
      expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
      await action(page, 'confirm').click()
      await atScreen(page, 'thanks')
      await expect(page.locator('[data-allocation="ngo-irc"]')).toContainText(/30[.,]00/)
      await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText(/20[.,]00/)
      await page.goto(giftPath(privateKey))
      await atScreen(page, 'consumed')
    })
  })
}

test('what cannot be given is said beside its field and above, and every number is kept', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await action(page, 'continue').click()
  await expect(page.locator('.problems')).toContainText(said('es', 'select-ngo-plain-empty'))
  for (const [ngo, text] of [
    ['ngo-msf', '1,5'],
    ['ngo-irc', '-3'],
    ['ngo-wfp', '60'],
  ] as const)
    await number(page, ngo).fill(text)
  await action(page, 'continue').click()
  await expect(page.locator('.problems')).toBeFocused()
  await expect(page.locator('.problems li')).toHaveCount(3)
  await expect(page.locator('.problems')).toContainText('10')
  await expect(page.locator('[data-ngo="ngo-msf"] .error')).toHaveText(said('es', 'select-ngo-plain-whole'))
  await expect(number(page, 'ngo-msf')).toHaveAttribute('aria-invalid', 'true')
  await expect(number(page, 'ngo-msf')).toHaveValue('1,5')
  await expect(number(page, 'ngo-irc')).toHaveValue('-3')
  await expect(number(page, 'ngo-wfp')).toHaveValue('60')
  await page.locator('.problems a').first().click()
  await number(page, 'ngo-msf').fill('10')
  await number(page, 'ngo-irc').fill('')
  await number(page, 'ngo-wfp').fill('40')
  await action(page, 'continue').click()
  await expect(action(page, 'confirm')).toBeVisible()
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
})

test('a card used on another phone meanwhile says so, and not where it went', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await number(page, 'ngo-msf').fill('50')
  await action(page, 'continue').click()
  await redeemThroughApi(site, privateKey, { 'ngo-wfp': 50 })
  await action(page, 'confirm').click()
  await atScreen(page, 'consumed')
  await expect(page.locator('[data-allocation]')).toHaveCount(0)
})

test('the same form sent twice is thanked twice, and gives once', async ({ site }) => {
  const { privateKey } = await buyThroughApi(site)
  const path = giftPath(privateKey, 'select-ngo')
  const form = { 'points-ngo-msf': '50', step: 'confirm', attempt: 'the-attempt-of-one-form' }
  const receiptOf = async (answer: Response) => {
    const page = await answer.text()
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([200, null])
    expect(answer.headers.get('Cache-Control')).toContain('no-store')
    expect(page).toContain('data-screen="thanks"')
    expect(page).toContain('data-allocation="ngo-msf"')
    expect(page).toContain('data-receipt-told')
    return /data-receipt-told="(\w+)"/.exec(page)?.[1]
  }
  const receipt = await receiptOf(await post(site, path, form))
  expect(receipt).toMatch(/^[a-z2-7]{32}$/)
  expect(await receiptOf(await post(site, path, form))).toBe(receipt)
  // Thanks all the same, and the receipt for its own attempt alone.
  for (const attempt of ['', 'the-attempt-of-another-form'])
    expect(await receiptOf(await post(site, path, { ...form, attempt }))).toBeUndefined()
  const other = await post(site, path, { ...form, 'points-ngo-msf': '', 'points-ngo-wfp': '50' })
  expect([other.status, other.headers.get('Location')]).toEqual([303, giftPath(privateKey, 'consumed')])
})

test('a reload of the thanks sends the form again, which gives nothing more', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await number(page, 'ngo-msf').fill('50')
  await action(page, 'continue').click()
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  await page.reload()
  await atScreen(page, 'thanks')
  await expect(page.locator('[data-allocation="ngo-msf"]')).toContainText(/50[.,]00/)
  expect(await page.context().cookies()).toEqual([])
})

test('a preview’s form leads to thanks and gives nothing, whatever its path says', async ({ page, site }) => {
  const { privateKey, publicKey } = await buyThroughApi(site)
  for (const path of [
    giftPath(privateKey, 'select-ngo', 'preview'),
    giftPath(publicKey, 'select-ngo', 'preview'),
    giftPath(publicKey, 'select-ngo', 'final'),
    giftPath('giftcard-try', 'select-ngo', 'final'),
  ]) {
    await page.goto(path)
    await expect(page.getByText(said('es', 'select-ngo-preview-disclaimer'))).toBeVisible()
    await number(page, 'ngo-msf').fill('50')
    await action(page, 'continue').click()
    await action(page, 'confirm').click()
    await atScreen(page, 'thanks')
    await expect(page.getByText(said('es', 'thanks-preview'))).toBeVisible()
  }
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
})

test('only our own pages send the form, as a form, to its screen', async ({ site }) => {
  const { privateKey } = await buyThroughApi(site)
  const give = { 'points-ngo-msf': '50', step: 'confirm' }
  const path = giftPath(privateKey, 'select-ngo')
  const json = await fetch(site.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(give),
  })
  const refusals = [
    await post(site, path, give, { Origin: 'https://elsewhere.example' }),
    await post(site, path, give, { 'Sec-Fetch-Site': 'cross-site' }),
    await post(site, path, give, { Origin: 'null' }),
    json,
    await post(site, path, { 'points-ngo-msf': '9'.repeat(70_000) }),
    await post(site, giftPath(privateKey, 'introduction-1'), give),
    await post(site, giftPath(privateKey, 'thanks'), give),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 415, 413, 405, 405])
  expect((await post(site, giftPath('a'.repeat(32), 'select-ngo'), give)).headers.get('Location')).toBe(
    giftPath('a'.repeat(32), 'doesnt-exist'),
  )
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
  const own = await post(site, path, give, { Origin: site.url, 'Sec-Fetch-Site': 'same-origin' })
  expect(own.status).toBe(200)
})

test('points of an organisation that is not listed are refused, the others kept', async ({ site }) => {
  const { privateKey } = await buyThroughApi(site)
  const answer = await post(site, giftPath(privateKey, 'select-ngo'), {
    'points-ngo-msf': '20',
    'points-ngo-gone': '<script>',
    step: 'confirm',
  })
  expect(answer.status).toBe(422)
  const html = await answer.text()
  expect(html).toContain('value="20"')
  expect(html).toContain(said('en', 'select-ngo-list-changed'))
  expect(html).not.toContain('ngo-gone')
})
