import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { INVOICE_TO, invoiceThroughApi, newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { linksIn, openLetter } from '#tests/support/e2e/inbox.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { TEST_ACCOUNT } from '#tests/support/invoice-accounts.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

test.use({ ...STILL, locale: LOCALES.es })

const run = promisify(execFile)
const today = () => new Date().toISOString().slice(0, 10)

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
  const number = /P\d{4}-\d{6}/.exec(text)?.[0] ?? ''
  const [file] = await Promise.all([page.waitForEvent('download'), action(page, 'download-invoice').click()])
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

  await expect(ops(site, 'paid', orderIn(path), '--amount', '80.99', '--on', today())).rejects.toThrow(
    /another amount/,
  )
  await ops(site, 'paid', orderIn(path), '--amount', '81.00', '--on', today())
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
