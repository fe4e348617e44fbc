import type { Page } from '@playwright/test'
import { formatMoney } from '#domain/money/format.ts'
import { money } from '#domain/money/money.ts'
import { buyManyThroughApi, newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { openLetter } from '#tests/support/e2e/inbox.ts'
import { unseenRings } from '#tests/support/e2e/rings.ts'
import { action } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' }, locale: 'en-GB' })

const LIST = 'Aina Bird\nBiel Bird\nCala Bird'
/** 25 € each, and 2 € for the site. */
const euros = (cards: number): string => formatMoney(money(cards * 2_700, 'EUR'), 'en', 'always')
const titleIs = (page: Page, key: string) => expect(page.locator('h1')).toHaveText(said('en', key))
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: new RegExp(`${name}$`) }).check()
const newestSays = (page: Page, key: string, values: Record<string, string>) =>
  expect(page.locator('[data-withdrawal] > p').first()).toHaveText(said('en', key, values))

/** Opens the withdrawal of an order of many, by its page. @returns another tab that shows the same */
async function openTwice(page: Page, path: string): Promise<Page> {
  await page.goto(`${path}?lang=en`)
  await action(page, 'withdraw').first().click()
  const other = await page.context().newPage()
  await other.goto(page.url())
  return other
}

test('a buyer of many gives back those that they choose, by number and name, and later the rest', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const email = newAddress()
  await page.goto(`${await buyManyThroughApi(site, LIST, { language: 'en', email })}?lang=en`)
  await action(page, 'withdraw').first().click()
  await titleIs(page, 'withdraw-offer-title')
  await expect(page.locator('#email')).toHaveValue(email)
  await expectAccessible(page, 'some of many, offered')
  expect(await unseenRings(page, new Set())).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  // Nothing is chosen by itself, and nothing goes back without a choice.
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await action(page, 'state-withdrawal').click()
  await expect(page.locator('#which-error')).toHaveText(said('en', 'withdraw-many-none'))
  await expectAccessible(page, 'some of many, nothing chosen')
  await page.locator('#name').fill('Aina Puig')
  await page.getByRole('radio', { name: said('en', 'withdraw-many-some') }).check()
  await tick(page, 'Biel Bird')
  await action(page, 'state-withdrawal').click()

  await titleIs(page, 'withdraw-review-title')
  const stated = said('en', 'withdraw-statement-cards', {
    cards: said('en', 'withdraw-cards-one', { numbers: '2' }),
  })
  await expect(page.locator('.statement')).toContainText(stated)
  await expect(page.locator('.statement')).toContainText(euros(1))
  await expectAccessible(page, 'some of many, looked at')
  expect(dump(site).withdrawals?.some(row => row.email === email) ?? false).toBe(false)
  // In another language it is the same choice, and it can be changed.
  await page.locator('details.switch summary').click()
  await page.locator('[data-language="fr"]').click()
  await expect(page.locator('h1')).toHaveText(said('fr', 'withdraw-review-title'))
  await page.locator('details.switch summary').click()
  await page.locator('[data-language="en"]').click()
  await action(page, 'change').click()
  await expect(page.getByRole('checkbox', { name: /Biel Bird$/ })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /Aina Bird$/ })).not.toBeChecked()
  await action(page, 'state-withdrawal').click()
  await action(page, 'confirm-withdrawal').click()

  await titleIs(page, 'withdraw-done-title')
  const one = { cards: said('en', 'withdraw-cards-one', { numbers: '2' }), amount: euros(1) }
  await newestSays(page, 'withdraw-cards-whole', one)
  await expectAccessible(page, 'some of many, done')
  const way = page.url()
  const letter = await openLetter(page, email, 2)
  await expect(letter.locator('body')).toContainText(said('en', 'withdraw-cards-whole', one))
  await expect(letter.locator('body')).toContainText(stated)

  // It is no longer offered. What is left goes back as a whole.
  await page.goto(way)
  await expect(page.locator('.withdraw-which [type="checkbox"]')).toHaveCount(2)
  await page.locator('#name').fill('Aina Puig')
  await page.locator('.withdraw-which [value="all"]').check()
  await expect(page.locator('.withdraw-cards')).toBeHidden()
  await action(page, 'state-withdrawal').click()
  await action(page, 'confirm-withdrawal').click()
  await newestSays(page, 'withdraw-cards-whole', {
    cards: said('en', 'withdraw-cards-more', { numbers: '1, 3' }),
    amount: euros(2),
  })
  await expect(page.locator('form')).toHaveCount(0)
  await expect(page.locator('[data-withdrawal]')).toHaveCount(2)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('some cards of many are given back, and the press says so if another was quicker', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 422/)
    const other = await openTwice(page, await buyManyThroughApi(site, LIST, { language: 'en' }))
    for (const each of [page, other]) {
      await each.locator('#name').fill('Aina Puig')
      await tick(each, 'Cala Bird')
      await action(each, 'state-withdrawal').click()
      await titleIs(each, 'withdraw-review-title')
    }
    await action(page, 'confirm-withdrawal').click()
    const one = { cards: said('en', 'withdraw-cards-one', { numbers: '3' }), amount: euros(1) }
    await newestSays(page, 'withdraw-cards-whole', one)
    // It is theirs already: the other press says the same, and nothing more goes back.
    await action(other, 'confirm-withdrawal').click()
    await newestSays(other, 'withdraw-cards-whole', one)
    await expect(other.locator('[data-withdrawal]')).toHaveCount(1)
  })
})

test('who asks for a card that has gone back hears so, also where one card alone is left', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const two = await buyManyThroughApi(site, 'Aina Bird\nBiel Bird', { language: 'en' })
  const other = await openTwice(page, two)
  const third = await page.context().newPage()
  await third.goto(page.url())
  for (const tab of [page, other, third]) {
    await tab.locator('#name').fill('Aina Puig')
    await tab.getByRole('radio', { name: said('en', 'withdraw-many-some') }).check()
  }
  for (const tab of [page, other]) await tick(tab, 'Aina Bird')
  await action(page, 'state-withdrawal').click()
  await action(page, 'confirm-withdrawal').click()
  await titleIs(page, 'withdraw-done-title')

  for (const [tab, why] of [
    [other, 'withdraw-gone'],
    // Whoever ticked nothing.
    [third, 'withdraw-unticked'],
  ] as const) {
    await action(tab, 'state-withdrawal').click()
    const gone = tab.locator('#gone')
    await expect(gone).toHaveText(said('en', why))
    await expect(gone).toBeFocused()
    await expect(gone).toBeInViewport({ ratio: 1 })
    await expect(tab).toHaveTitle(/^Error: /)
    // The press withdrew nothing; what can be given back now is named.
    await expect(tab.locator('h1')).toHaveText(said('en', 'withdraw-offer-title'))
    const left = said('en', 'withdraw-cards-one', { numbers: '2' })
    await expect(tab.locator('.statement .note')).toContainText(left)
    await expectAccessible(tab, 'a card that has gone back')
  }
})
