import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { examineBooks } from '#server/modules/integrity/examine.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { newAddress, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { payWith } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { openLetter } from '#tests/support/e2e/inbox.ts'
import { action, atScreen, downloaded } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

test.use({ ...STILL, locale: LOCALES.es })

const CARDS = 300
const GIVEN = 12
const BACK = [290, 291, 292, 300]
const LIST = Array.from({ length: CARDS }, (_, n) => `Persona ${n + 1},Gracias por todo`).join('\n')

test('three hundred cards are bought, printed, given in part, taken back in part, and every cent is accounted for', async ({
  page,
  site,
}) => {
  test.slow()
  await page.goto('/es/many-cards')
  await page.locator('#amount').fill('20')
  await page.locator('#support').selectOption('10')
  await page.locator('#sender').fill('El equipo de Aina')
  await page.locator('#list').fill(LIST)
  await action(page, 'check-many').click()
  await page.locator('#donor-name').fill('Aina Ferrer')
  await page.locator('#donor-document').fill('12345678Z')
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  const email = newAddress()
  await payWith(page, '4242 4242 4242 4242', email)
  await page.waitForURL(/\/many\/[^/]+\/[^/]+\?lang=es$/)
  const ofOrder = page.url()

  await action(page, 'show-links').click()
  const tableFile = await downloaded(page, 'table')
  const keys = [...readFileSync(await tableFile.path(), 'utf8').matchAll(/#([\w-]+)/g)].map(([, key]) => key!)
  expect(new Set(keys).size).toBe(CARDS)
  const sheetsFile = await downloaded(page, 'sheets')
  const sheets = readPdf(readFileSync(await sheetsFile.path()))
  expect(sheets.pages).toBe(CARDS / 4)
  expect(sheets.text).toContain('Persona 300')

  for (const key of keys.slice(0, GIVEN))
    expect((await redeemThroughApi(site, key, { 'ngo-msf': 15, 'ngo-irc': 5 })).status).toBe(200)

  await page.goto(ofOrder)
  await action(page, 'withdraw').first().click()
  await page.locator('#name').fill('Aina Puig')
  await page.getByRole('radio', { name: said('es', 'withdraw-many-some') }).check()
  for (const number of BACK) await page.locator(`.withdraw-cards [value="${number}"]`).check()
  await action(page, 'state-withdrawal').click()
  await action(page, 'confirm-withdrawal').click()
  // 22 € each: 20 of the gift, and 2 for the site.
  await expect(page.locator('[data-withdrawal]').first()).toContainText('88,00\u00a0€')
  await expect((await openLetter(page, email, 2)).locator('body')).toContainText('88,00')

  await page.goto(ofOrder)
  for (const [name, count] of Object.entries({ used: GIVEN, back: BACK.length }))
    await expect(page.locator(`[data-figure="${name}"] dd`)).toHaveText(String(count))
  // Ten of the twelve are told, five at a time.
  await expect(page.locator('[data-organisations]')).toContainText('150')

  for (const number of BACK)
    expect((await redeemThroughApi(site, keys[number - 1]!, { 'ngo-msf': 20 })).ok).toBe(false)
  const cards = dump(site).cards!.filter(card => card.email === email)
  expect(Map.groupBy(cards, ({ status }) => status).get('active')).toHaveLength(CARDS - GIVEN - BACK.length)
  const db = await openDatabase({ dataDir: site.dataDir })
  const secret = readFileSync(join(site.dataDir, 'local/card-key-secret'), 'utf8').trim()
  const { findings } = await examineBooks(db, { keys: createCardKeys(secret), now: Date.now() })
  await db.close()
  expect(findings).toEqual([])
})
