import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { formatMoney } from '#domain/money/format.ts'
import { money } from '#domain/money/money.ts'
import {
  buyThroughApi,
  giftPath,
  inviteThroughApi,
  newAddress,
  redeemThroughApi,
} from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { linksIn, openLetter } from '#tests/support/e2e/inbox.ts'
import { unseenRings } from '#tests/support/e2e/rings.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { type Language, said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' }, locale: 'en-GB' })

const euros = (minor: number, language: Language = 'en'): string =>
  formatMoney(money(minor, 'EUR'), language, 'always')

const titleIs = (page: Page, key: string, language: Language = 'en') =>
  expect(page.locator('h1')).toHaveText(said(language, key))
const answerIs = (page: Page, key: string, values: Record<string, string> = {}) =>
  expect(page.locator('[data-answer]')).toHaveText(said('en', key, values))

/** Sends the form and its confirmation. @returns what the visitor is told, without what they wrote and the time */
async function state(page: Page, email: string): Promise<string> {
  await page.goto('/en/withdraw')
  await page.locator('#name').fill('Aina Puig')
  await page.locator('#email').fill(email)
  await action(page, 'state-withdrawal').click()
  await titleIs(page, 'withdraw-review-title')
  await expect(page.locator('.statement')).toContainText(email)
  await action(page, 'confirm-withdrawal').click()
  await titleIs(page, 'withdraw-stated-title')
  const text = (await page.locator('main').textContent()) ?? ''
  expect(text).toContain(email)
  // Noon may come between two statements.
  return text.replaceAll(email, '@').replace(/\d+/g, '0').replace(/[AP]M/g, 'M')
}

/** The way to the page with the button, from the mail that a statement brings. */
async function wayOf(page: Page, email: string): Promise<string> {
  await state(page, email)
  return (await linksIn(await openLetter(page, email, 2), '/withdraw/'))[0] ?? ''
}

test('a buyer without a link states it, and withdraws behind the link of a mail: nobody else is told anything', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const email = newAddress()
  const stranger = newAddress()
  const card = await buyThroughApi(site, { email, language: 'en', sender: 'Aina' })
  await page.goto('/en/who-we-are')
  await page.locator('.page-foot [data-action="withdraw"]').click()
  await atScreen(page, 'withdraw')
  await expectAccessible(page, 'form of withdrawals')
  expect(await unseenRings(page, new Set())).toEqual([])

  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await action(page, 'state-withdrawal').click()
  await expect(page.locator('#name-error')).toBeVisible()
  await expect(page.locator('#email-error')).toBeVisible()
  await expectAccessible(page, 'form of withdrawals, refused')

  // What was written can be changed before it is confirmed.
  await page.locator('#name').fill('<b>Aina</b>')
  await page.locator('#email').fill(email)
  await page.locator('#order').fill('no order')
  await action(page, 'state-withdrawal').click()
  await titleIs(page, 'withdraw-review-title')
  await expectAccessible(page, 'statement read back')
  await expect(page.locator('.statement')).toContainText('<b>Aina</b>')
  await action(page, 'change').click()
  await expect(page.locator('#name')).toHaveValue('<b>Aina</b>')
  await expect(page.locator('#order')).toHaveValue('no order')
  expect(dump(site).withdrawal_statements?.some(row => row.name === '<b>Aina</b>') ?? false).toBe(false)

  const unknown = await state(page, stranger)
  await expectAccessible(page, 'statement recorded')
  expect(await state(page, email)).toBe(unknown)

  const way = (await linksIn(await openLetter(page, email, 2), '/withdraw/'))[0] ?? ''
  await page.goto(way)
  await titleIs(page, 'withdraw-offer-title')
  await expect(page.locator('[data-answer]')).toContainText(euros(5_000))
  await expect(page.locator('#email')).toHaveValue(email)
  await expect(page.locator('#order')).toHaveValue(new URL(way).pathname.split('/')[2] ?? '')
  await expectAccessible(page, 'withdrawal offered')
  expect(await unseenRings(page, new Set())).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  expect((await fetch(new URL(giftPath(card.privateKey), site.url))).status).toBe(200)

  await page.locator('#name').fill('Aina Puig')
  await action(page, 'confirm-withdrawal').click()
  await titleIs(page, 'withdraw-done-title')
  await answerIs(page, 'withdraw-answer-whole', { amount: euros(5_000) })
  await expect(page.locator('.statement')).toContainText(said('en', 'withdraw-statement'))
  await expect(page.locator('.statement')).toContainText('Aina Puig')
  await expect(page.locator('.statement dt')).toHaveText(
    ['name', 'email', 'order', 'bought', 'total', 'stated', 'confirmed'].map(fact =>
      said('en', `withdraw-statement-${fact}`),
    ),
  )
  await expectAccessible(page, 'withdrawal acknowledged')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await expect(action(page, 'confirm-withdrawal')).toHaveCount(0)
  expect((await fetch(new URL(giftPath(card.privateKey), site.url))).status).toBe(404)
  await page.reload()
  await titleIs(page, 'withdraw-done-title')
  await page.locator('details.switch summary').click()
  await page.locator('[data-language="fr"]').click()
  await titleIs(page, 'withdraw-done-title', 'fr')

  // A second press, of a page that stood open: the same again, and one mail.
  const again = await fetch(way, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ name: 'Somebody', email: stranger }),
  })
  expect(again.status).toBe(303)
  const { withdrawals = [] } = dump(site)
  expect(withdrawals.filter(row => row.email === email).map(row => row.name)).toEqual(['Aina Puig'])
  expect(withdrawals.some(row => row.email === stranger)).toBe(false)
  const letter = await openLetter(page, email, 3)
  await expect(letter.locator('body')).toContainText(said('en', 'withdraw-statement'))

  const log = readFileSync(site.logFile, 'utf8').toLowerCase()
  for (const secret of [new URL(way).pathname.split('/').at(-1), email, stranger]) {
    expect(secret).toBeTruthy()
    expect(log).not.toContain(secret)
  }
})

test('of a used gift only the support goes back, and of one without support nothing', async ({
  page,
  site,
}) => {
  for (const supportAmount of [500, 0]) {
    const email = newAddress()
    const card = await buyThroughApi(site, { email, language: 'en', supportAmount })
    await redeemThroughApi(site, card.privateKey, { 'ngo-msf': 50 })
    await page.goto(await wayOf(page, email))
    await titleIs(page, 'withdraw-offer-title')
    if (supportAmount === 0) {
      await answerIs(page, 'withdraw-answer-used-donation')
      await expect(action(page, 'confirm-withdrawal')).toHaveCount(0)
      await expect(action(page, 'contact')).toBeVisible()
      await expectAccessible(page, 'withdrawal from a used gift')
    } else {
      await answerIs(page, 'withdraw-offer-support-donation', { amount: euros(500) })
      // Whoever gave without a name still withdraws with one.
      await page.locator('#name').fill('Aina Puig')
      await action(page, 'confirm-withdrawal').click()
      await titleIs(page, 'withdraw-done-title')
      await answerIs(page, 'withdraw-answer-support-donation', { amount: euros(500) })
    }
  }
})

test('an invitation is withdrawn from once, however often its button is pressed', async ({ page, site }) => {
  const email = newAddress()
  const { key } = await inviteThroughApi(site, { email, language: 'en' })
  const way = await wayOf(page, email)

  // Nobody looked at the key: nothing is said of the order.
  const elsewhere = { method: 'POST', headers: { Origin: 'https://elsewhere.example' } }
  const refused = await fetch(way, elsewhere)
  expect(refused.status).toBe(403)
  const words = await refused.text()
  expect(words).toContain(said('en', 'problem-foreign-origin'))
  expect(words).not.toContain(said('en', 'withdraw-none-title'))
  const statement = new URLSearchParams({ name: 'Aina', email: newAddress(), step: 'confirm' })
  const refusedForm = await fetch(`${site.url}/withdraw?lang=en`, { ...elsewhere, body: statement })
  expect(refusedForm.status).toBe(403)

  const press = () =>
    fetch(way, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ name: 'Aina', email }) })
  const answers = await Promise.all([press(), press(), press()])
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
  await page.goto(way)
  await titleIs(page, 'withdraw-done-title')
  await answerIs(page, 'withdraw-answer-whole', { amount: euros(10_000) })
  expect(dump(site).withdrawals?.filter(row => row.email === email)).toHaveLength(1)
  expect((await fetch(`${site.url}/gift-card-volunteering/${key}/introduction`)).status).toBe(404)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a buyer states it, opens the link of the mail, and withdraws', async ({ page, site, watch }) => {
    watch.expectFault(/status of 404/)
    const email = newAddress()
    await buyThroughApi(site, { email, language: 'en' })
    const way = await wayOf(page, email)
    await page.goto(way)
    await page.locator('#name').fill('Aina Puig')
    await action(page, 'confirm-withdrawal').click()
    await titleIs(page, 'withdraw-done-title')
    await answerIs(page, 'withdraw-answer-whole', { amount: euros(5_000) })

    // A wrong key has a way out.
    await page.goto(way.replace(/[^/]+(?=\?)/, 'a'.repeat(32)))
    await titleIs(page, 'withdraw-none-title')
    await action(page, 'without-link').click()
    await atScreen(page, 'withdraw')
  })

  test('a change of language keeps what was written in a form that came back, and sends nothing', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 422/)
    const address = 'nobody at all'
    const toFrench = async () => {
      await page.locator('details.switch summary').click()
      await page.locator('[data-language="fr"]').click()
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
      // What was written is in no address.
      expect(new URL(page.url()).search).toBe('?lang=fr')
    }

    // As a browser sends it that checks nothing itself.
    const unchecked = async (path: string, values: Record<string, string>) => {
      await page.goto(path)
      await page.locator('form').evaluate((form: HTMLFormElement) => {
        form.noValidate = true
      })
      for (const [field, value] of Object.entries(values)) await page.locator(`#${field}`).fill(value)
    }
    const email = newAddress()
    await unchecked('/en/withdraw', { name: 'Aina Puig', email: address, order: 'an order' })
    await action(page, 'state-withdrawal').click()
    await expect(page.locator('#email-error')).toHaveText(said('en', 'withdraw-email-wrong'))
    await toFrench()
    await expect(page.locator('#email-error')).toHaveText(said('fr', 'withdraw-email-wrong'))
    await expect(page.locator('#name')).toHaveValue('Aina Puig')
    await expect(page.locator('#email')).toHaveValue(address)
    await expect(page.locator('#order')).toHaveValue('an order')
    // Put right meanwhile: still the form, and read back only when it is sent.
    await page.locator('#email').fill(email)
    await page.locator('details.switch summary').click()
    await page.locator('[data-language="es"]').click()
    await titleIs(page, 'withdraw-title', 'es')
    await expect(page.locator('#email')).toHaveValue(email)
    await action(page, 'state-withdrawal').click()
    await titleIs(page, 'withdraw-review-title', 'es')
    await toFrench()
    await titleIs(page, 'withdraw-review-title', 'fr')
    await expect(page.locator('.statement')).toContainText(email)
    expect(dump(site).withdrawal_statements?.some(row => row.email === email) ?? false).toBe(false)

    await unchecked('/en/intro/lost-link', { email: address })
    await action(page, 'send-links').click()
    await expect(page.locator('#email-error')).toHaveText(said('en', 'lost-link-wrong'))
    await toFrench()
    await expect(page.locator('#email-error')).toHaveText(said('fr', 'lost-link-wrong'))
    await expect(page.locator('#email')).toHaveValue(address)

    await buyThroughApi(site, { email, language: 'en', sender: 'Aina' })
    await unchecked(await wayOf(page, email), { name: 'Aina Puig', email: address })
    await action(page, 'confirm-withdrawal').click()
    await expect(page.locator('#email-error')).toHaveText(said('en', 'withdraw-email-wrong'))
    await toFrench()
    await expect(page.locator('#email-error')).toHaveText(said('fr', 'withdraw-email-wrong'))
    await expect(page.locator('#name')).toHaveValue('Aina Puig')
    await page.locator('#email').fill(email)
    await page.locator('details.switch summary').click()
    await page.locator('[data-language="en"]').click()
    await expect(page.locator('#email')).toHaveValue(email)
    await expect(action(page, 'confirm-withdrawal')).toBeVisible()
    expect(dump(site).withdrawals?.some(row => row.email === email) ?? false).toBe(false)
  })
})
