import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { dayInMadrid } from '#domain/days.ts'
import {
  INVOICE_TO,
  invoiceThroughApi,
  manyForm,
  newAddress,
  paymentIn,
  payOn,
} from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { standAtManyReview } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { linksIn, openLetter } from '#tests/support/e2e/inbox.ts'
import { action, atScreen, downloaded } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { TEST_ACCOUNT } from '#tests/support/invoice-accounts.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

test.use({ ...STILL, locale: LOCALES.es })

const run = promisify(execFile)

/** What the treasurer does on the machine of the site. */
const ops = (site: Site, ...words: readonly string[]) =>
  run('node_modules/.bin/node', ['src/server/ops/main.ts', 'invoice', ...words], {
    env: { ...process.env, DATA_DIR: site.dataDir },
  })

const orderIn = (path: string): string => path.split('/')[2]!

test('three cards are ordered by invoice, paid by transfer, and mailed to whoever ordered them', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  await page.goto('/es/many-cards')
  await page.locator('#amount').fill('25')
  await page.locator('#support').selectOption('10')
  await page.locator('#list').fill('Núria\nOriol\nAina')
  await action(page, 'check-many').click()
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'by-invoice').click()
  await expectAccessible(page, 'the review with its other way to pay')
  const email = newAddress()
  for (const [id, text] of Object.entries({ ...INVOICE_TO, 'invoice-email': 'compres' }))
    await page.locator(`#${id}`).fill(text)
  await action(page, 'invoice').click()
  await expect(page.locator('.by-invoice .error')).toHaveText(said('es', 'invoice-email-wrong'))
  await page.locator('#invoice-email').fill(email)
  await action(page, 'invoice').click()
  await atScreen(page, 'invoice')
  await expect(page.locator('main')).toHaveAttribute('data-state', 'open')
  await expectAccessible(page, 'the invoice')
  const text = (await page.locator('main').textContent()) ?? ''
  for (const part of [TEST_ACCOUNT, 'Escola del Mar, SCCL', '81,00']) expect(text).toContain(part)
  const number = /P\d{4}-\d{6}-[0-9A-Z]{4}/.exec(text)?.[0] ?? ''
  const file = await downloaded(page, 'download-invoice')
  const paper = readPdf(readFileSync(await file.path()))
  expect(paper.pages).toBe(1)
  for (const part of [number, 'Escola del Mar, SCCL', 'ES91 2100']) expect(paper.text).toContain(part)

  const reader = await page.context().browser()!.newPage({ baseURL: site.url })
  const [link = ''] = await linksIn(await openLetter(reader, email), '/invoice/')
  await reader.close()
  const { pathname: path } = new URL(link, site.url)
  expect(path).toBe(new URL(page.url()).pathname)
  const cards = () => dump(site).cards?.filter(card => card.email === email) ?? []
  expect(cards()).toEqual([])

  await expect(
    ops(site, 'paid', orderIn(path), '--amount', '80.99', '--on', dayInMadrid(Date.now())),
  ).rejects.toThrow(/another amount/)
  await ops(site, 'paid', orderIn(path), '--amount', '81.00', '--on', dayInMadrid(Date.now()))
  expect(cards()).toHaveLength(3)
  await page.reload()
  await expect(page.locator('main')).toHaveAttribute('data-state', 'paid')
  const buyer = await page.context().browser()!.newPage({ baseURL: site.url })
  const [many = ''] = await linksIn(await openLetter(buyer, email, 2), '/many/')
  await buyer.close()
  await page.goto(new URL(many, site.url).pathname)
  await action(page, 'show-links').click()
  await expect(page.locator('main')).toHaveAttribute('data-state', 'shown')
})

test('an invoice that was cancelled says so, and asks for no money', async ({ page, site }) => {
  const path = await invoiceThroughApi(site, 'Aina\nBiel')
  await page.goto(`${path}?lang=es`)
  await expect(page.locator('main')).toContainText(TEST_ACCOUNT)
  await ops(site, 'cancel', orderIn(path))
  await page.reload()
  await expect(page.locator('[data-answer]')).toHaveText(said('es', 'invoice-cancelled'))
  await expect(page.locator('main')).not.toContainText(TEST_ACCOUNT)
  await expect(action(page, 'download-invoice')).toHaveCount(0)
})

test('Enter in a field of the invoice pays nothing, and keeps what was written', async ({ page }) => {
  await standAtManyReview(page, ['Núria', 'Oriol'])
  await action(page, 'by-invoice').click()
  await page.locator('#invoice-name').fill('Escola del Mar')
  const shown = page.waitForResponse(each => each.request().method() === 'POST')
  await page.locator('#invoice-name').press('Enter')
  expect((await shown).status()).toBe(200)
  await expect(page.locator('main')).toHaveAttribute('data-step', 'review')
  await expect(page.locator('#invoice-name')).toHaveValue('Escola del Mar')
  await expect(page.locator('#invoice-name')).toBeVisible()
  await expect(page.locator('[data-consent="fulfilment"]')).toBeChecked()
})

test('whoever comes back from the payment can order by invoice, and each once', async ({ site }) => {
  const attempt = crypto.randomUUID()
  const email = newAddress()
  const byInvoice = { step: 'invoice', attempt, ...INVOICE_TO, 'invoice-email': email }
  const opened = paymentIn(await (await manyForm(site, 'Aina\nBiel', 'es', { step: 'pay', attempt })).text())
  const pathOf = async (asked: Record<string, string>) =>
    (await manyForm(site, 'Aina\nBiel', 'es', asked)).headers.get('Location')
  const path = await pathOf(byInvoice)
  expect(path).toMatch(/^\/invoice\//)
  expect(await pathOf(byInvoice)).toBe(path)
  // Another address is another invoice, and the payment is still the one that was opened.
  expect(await pathOf({ ...byInvoice, 'invoice-name': 'Another' })).toMatch(/^\/invoice\//)
  expect(await pathOf({ ...byInvoice, 'invoice-name': 'Another' })).not.toBe(path)
  const again = await manyForm(site, 'Aina\nBiel', 'es', { step: 'pay', attempt })
  expect(paymentIn(await again.text())).toBe(opened)
  // Once it is paid the same press says so, and the next one is a purchase of its own.
  await payOn(site, opened, { email })
  await expect
    .poll(async () => (await manyForm(site, 'Aina\nBiel', 'es', { step: 'pay', attempt })).text())
    .toContain(said('es', 'payment-spent'))
})

test('whoever withdraws before they pay is told not to, by the page of the invoice too', async ({
  page,
  site,
}) => {
  const email = newAddress()
  const path = await invoiceThroughApi(site, 'Aina\nBiel', { email })
  // Without the link it is found by the address of the invoice, as there is no card yet.
  await page.goto('/es/withdraw')
  await page.locator('#name').fill('Aina Puig')
  await page.locator('#email').fill(email)
  await action(page, 'state-withdrawal').click()
  await action(page, 'confirm-withdrawal').click()
  const mailbox = await page.context().browser()!.newPage({ baseURL: site.url })
  const [link = ''] = await linksIn(await openLetter(mailbox, email, 2), '/withdraw/')
  expect(new URL(link, site.url).pathname).toBe(path.replace('/invoice/', '/withdraw/'))
  await page.goto(`${path}?lang=es`)
  const door = page.locator('main [data-action="withdraw"]')
  await door.click()
  await expect(page.locator('[data-answer]')).toContainText(/Todavía no se ha pagado nada/)
  await page.locator('#name').fill('Aina Puig')
  await page.locator('#email').fill('aina@mail.example')
  await action(page, 'confirm-withdrawal').click()
  await expect(page.locator('[data-answer]')).toContainText(/No pagues la factura/)
  await expectAccessible(page, 'a withdrawal before the payment')
  await page.goto(`${path}?lang=es`)
  await expect(page.locator('[data-answer]')).toHaveText(said('es', 'invoice-withdrawn'))
  await expect(page.locator('main')).not.toContainText(TEST_ACCOUNT)
  await expect(action(page, 'download-invoice')).toHaveCount(0)
  await expect(door).toHaveText(said('es', 'invoice-see-withdrawal'))
  const acknowledged = await openLetter(mailbox, email, 3)
  await expect(acknowledged.locator('body')).toContainText('No pagues la factura')
  await expect(acknowledged.locator('body')).not.toContainText('Aina Puig')
  await mailbox.close()
})

test('no invoice is offered in a currency without an account', async ({ page, watch }) => {
  watch.expectFault(/status of 422/)
  await page.goto('/en/many-cards')
  await page.locator('#amount').fill('25')
  await page.locator('#list').fill('Nuria\nOriol')
  await page.locator('#currency').selectOption('CAD')
  await action(page, 'check-many').click()
  await expect(action(page, 'pay')).toBeVisible()
  await expect(action(page, 'by-invoice')).toHaveCount(0)
})
