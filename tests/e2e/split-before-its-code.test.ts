import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { codeOf, holdCode } from '#tests/support/e2e/built-code.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.fr })

const LIST = 'select-ngo'
const number = (page: Page, ngo: string) => page.locator(`[data-ngo="${ngo}"] input`)

/** Has seen the start of the story before, so that the list opens by its address. */
test.beforeEach(({ page }) => page.addInitScript(() => sessionStorage.setItem('gift:opened', '1')))

test('where the list’s code never comes, the form beneath the hint gives the gift', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/ERR_FAILED|status of 422|astro-island|dynamically imported/i)
  await page.route(codeOf(LIST), route => route.abort())
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await expect(page.locator('h1:visible')).toHaveCount(1)
  await action(page, 'show-list').click()
  await expect(page.locator('h1:visible')).toHaveCount(1)
  await expect(number(page, 'ngo-msf')).toBeVisible()
  await expectAccessible(page, 'the form')
  await number(page, 'ngo-msf').fill('x')
  await action(page, 'continue').click()
  await expect(page.locator('.problems')).toContainText(said('fr', 'select-ngo-plain-whole'))
  await expect(page.locator('.problems')).toBeFocused()
  await expectAccessible(page, 'the form with what is wrong')
  await number(page, 'ngo-msf').fill('12')
  await action(page, 'continue').click()
  await expect(page.locator('h1')).toHaveText(said('fr', 'select-ngo-confirm-title'))
  await expectAccessible(page, 'the split read back')
  await action(page, 'confirm').click()
  await atScreen(page, 'thanks')
  // As from the list: at its own address, where a reload sends nothing.
  await expect(page).toHaveURL(giftPath(privateKey, 'thanks'))
  await page.reload()
  await atScreen(page, 'thanks')
  await expect(page.locator('[data-allocation="ngo-msf"]')).toBeVisible()
})

test('what was written before the list’s code came is in the list, with the focus where it was', async ({
  page,
  site,
}) => {
  const letCome = await holdCode(page, LIST)
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'), { waitUntil: 'commit' })
  await action(page, 'show-list').click()
  await number(page, 'ngo-irc').fill('7')
  await number(page, 'ngo-msf').pressSequentially('1')
  await letCome()
  await expect(page.locator('section.split')).toBeVisible()
  await expect(number(page, 'ngo-msf')).toBeFocused()
  await page.keyboard.type('2')
  await expect(number(page, 'ngo-msf')).toHaveValue('12')
  await expect(number(page, 'ngo-irc')).toHaveValue('7')
  await expect(page.locator('[data-left]')).toHaveAttribute('data-left', '31')
})
