/** A list that changes between the opening of a payment and the payment: the product has a site of its own here. */
import { formatMoney } from '#domain/money/format.ts'
import { money } from '#domain/money/money.ts'
import { buyThroughApi, giftPath, newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { payWith } from '#tests/support/e2e/buyer.ts'
import { linksIn, openLetter } from '#tests/support/e2e/inbox.ts'
import { amountsShown, openGift, skipStory, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { startSite } from '#tests/support/e2e/server.ts'
import { test as base, expect, STILL } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { contentClientOf, shownAfter } from '#tests/support/product/content.ts'

const test = base.extend({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => {
      const own = await startSite()
      await use(own)
      await own.stop()
    },
    { scope: 'worker' },
  ],
})

test.use({ ...STILL, locale: LOCALES.fr })

const LIST = 'ngoList-2026'

test('own money whose list has lost an organisation meanwhile is divided anew by whoever paid it', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'own-money'))
  await page.locator('#amount').fill('37')
  await page.locator('[data-ngo="ngo-msf"] input').fill('1')
  await page.locator('[data-ngo="ngo-wfp"] input').fill('1')
  await action(page, 'check').click()
  await page.locator('[data-consent="fulfilment"]').check()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')

  const client = contentClientOf(site)
  const list = await client.getDocument<{ _id: string; ngos: { _ref: string }[] }>(LIST)
  const ngos = (list?.ngos ?? []).filter(({ _ref }) => _ref !== 'ngo-wfp')
  await client
    .transaction()
    .patch(LIST, { set: { ngos } })
    .patch('ngo-msf', { set: { 'title.fr': 'Les mêmes' } })
    .commit()
  await shownAfter(`${site.url}/fr/intro/ngo-list`, 'Les mêmes')

  const email = newAddress()
  await payWith(page, '4242 4242 4242 4242', email)
  await atScreen(page, 'own-money-thanks')
  await expect(page.locator('main')).toHaveAttribute('data-outcome', 'to-divide')
  const amount = formatMoney(money(3_700, 'EUR'), 'fr', 'when-needed')
  await expect(page.locator('.lead')).toHaveText(said('fr', 'own-money-thanks-divide-lead', { amount }))
  await expectAccessible(page, 'to be divided anew')

  const letter = await openLetter(page, email)
  await expect(letter.locator('body')).toContainText(said('fr', 'mail-own-money-divide-opening', { amount }))
  // One link of a card, which opens it: nothing to send on.
  const [link, ...others] = await linksIn(letter, '/g/')
  expect(others).toEqual([])
  await openGift(page, link!)
  await skipStory(page)
  await splitAs(page, { 'ngo-msf': 37 })
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  expect(await amountsShown(page)).toEqual({ 'ngo-msf': '37,00 €' })
})
