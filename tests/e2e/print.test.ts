import { readFileSync } from 'node:fs'
import { groupedKey } from '#domain/card/keys.ts'
import { giftLinkPath } from '#paths'
import { buyThroughApi, giftPath, inviteThroughApi, redeemThroughApi } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen, downloaded } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

test.use({ locale: LOCALES.fr })

test('the page after the payment gives the card as a sheet, and says so when it is used up', async ({
  page,
  site,
  visitor,
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
  const sheet = readPdf(readFileSync(await (await downloaded(page, 'print')).path()))
  expect(sheet.text).toContain('Íñigo a pensé à vous.')
  expect(sheet.alts.join()).toContain(
    site.url + giftLinkPath({ themeId: 'ukraine', language: 'fr' }, privateKey),
  )
  // What is typed from the paper, in capitals, opens the gift.
  const typed = sheet.text.slice(sheet.text.indexOf('/g#')).replace('\n', '').split('\n')[0]!
  expect(typed).toBe(`/g#${groupedKey(privateKey)}`)
  const recipient = await visitor()
  await recipient.goto(typed.replace(/[^#]+$/, key => key.toUpperCase()))
  await atScreen(recipient, 'introduction-1')
  await expect(recipient.locator('h1')).toContainText('Íñigo')
  // The key travels in the form: it stands in no address, and the links stay on the screen.
  expect(addresses.join(' ')).not.toContain(privateKey)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')

  await redeemThroughApi(site, privateKey, { 'ngo-msf': 50 })
  await action(page, 'print').click()
  await atScreen(page, 'consumed')
})

test('the page after the payment prints the gift once its link is shown, and before points to the card to print', async ({
  page,
  site,
}) => {
  const { sessionId, privateKey } = await buyThroughApi(site, { sender: 'Íñigo', language: 'fr' })
  await page.goto(`${senderPath('fr', 'no-refresh/donation-success')}?session_id=${sessionId}`)
  const paper = page.locator('[data-paper]')
  await page.emulateMedia({ media: 'print' })
  await expect(paper).toHaveText(said('fr', 'donation-success-print-hidden'))
  await expect(paper).toBeVisible()
  const nothing = page.locator('button:visible, summary:visible, figure:visible, .lost-door:visible')
  await expect(nothing).toHaveCount(0)
  expect(await page.locator('body').textContent()).not.toContain(privateKey)

  await page.emulateMedia({ media: 'screen' })
  await action(page, 'reveal').click()
  await expect(page.locator('[data-secret]')).toHaveText(site.url + giftPath(privateKey))
  await page.emulateMedia({ media: 'print' })
  for (const words of [
    said('fr', 'donation-success-share-text'),
    'De la part d’Íñigo',
    said('fr', 'donation-success-print-how'),
    site.url + giftLinkPath({ themeId: 'palestine', language: 'fr' }, privateKey),
  ])
    await expect(paper.getByText(words)).toBeVisible()
  await expect(paper.locator('.amount')).toHaveText('50 €')
  await expect(paper.getByRole('img', { name: said('fr', 'donation-success-qr') })).toBeVisible()
  await expect(nothing).toHaveCount(0)
})

test('an invitation prints as one: its link after the payment, and its words without a control', async ({
  page,
  site,
}) => {
  const { sessionId, key } = await inviteThroughApi(site, { sender: 'Íñigo', language: 'fr' })
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${senderPath('fr', 'no-refresh/volunteering-success')}?session_id=${sessionId}`)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
  const paper = page.locator('.checkout')
  for (const words of [
    said('fr', 'volunteering-success-share-text'),
    said('fr', 'donation-success-print-how'),
    site.url + giftLinkPath({ themeId: 'palestine', language: 'fr', kind: 'volunteering' }, key),
  ])
    await expect(paper.getByText(words)).toBeVisible()
  // The envelope on the screen says it too, and stays off the paper.
  await expect(paper.getByText('De la part d’Íñigo', { exact: true }).filter({ visible: true })).toHaveCount(
    1,
  )
  await expect(paper.getByRole('img', { name: said('fr', 'volunteering-success-qr') })).toBeVisible()
  // What was paid for it is nobody's business who gets it.
  // Without the site's own address, whose port is any number.
  const printed = async () => (await paper.allInnerTexts()).join().replaceAll(new URL(site.url).host, '')
  expect(await printed()).toContain('/g/')
  expect(await printed()).not.toContain('100')
  // Nothing to press, nothing of the mail or the book, no offer for lost links.
  await expect(
    page.locator('button:visible, .lost-door:visible, [data-book]:visible, [data-mail]:visible'),
  ).toHaveCount(0)

  await page.goto(`/gift-card-volunteering/${key}/introduction-10`)
  await atScreen(page, 'introduction')
  await page.goto(`/gift-card-volunteering/${key}/introduction-10`)
  await atScreen(page, 'introduction-10')
  await expect(page.locator('.heading')).toContainText('Íñigo')
  await expect(page.locator('h1')).toBeVisible()
  await expect(page.locator('h1')).toHaveCSS('opacity', '1')
  await expect(page.locator('input:visible, button:visible, .story-end:visible')).toHaveCount(0)
})
