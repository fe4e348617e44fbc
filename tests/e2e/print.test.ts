import { readFileSync } from 'node:fs'
import { buyThroughApi, giftPath, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

test.use({ locale: LOCALES.fr })

test('the page after the payment gives the card as a sheet, and says so when it is used up', async ({
  page,
  site,
}) => {
  const { sessionId, privateKey } = await buyThroughApi(site, {
    sender: 'Íñigo',
    theme: 'ukraine',
    language: 'fr',
  })
  await page.goto(`${senderPath('fr', 'no-refresh/donation-success')}?session_id=${sessionId}`)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
  const addresses: string[] = []
  page.on('request', request => void addresses.push(request.url()))
  const downloading = page.waitForEvent('download')
  await action(page, 'print').click()
  const sheet = readPdf(readFileSync(await (await downloading).path()))
  expect(sheet.text).toContain('Íñigo a pensé à vous.')
  expect(sheet.text).toContain(site.url + giftPath(privateKey))
  // The key travels in the form: it stands in no address, and the links stay on the screen.
  expect(addresses.join(' ')).not.toContain(privateKey)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')

  await redeemThroughApi(site, privateKey, { 'ngo-msf': 50 })
  await action(page, 'print').click()
  await atScreen(page, 'consumed')
})
