import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { holdHint } from '#tests/support/e2e/recipient.ts'
import { action } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en })

/** Has seen the start of the story before, so that the list opens by its address; and never by itself. */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  await holdHint(page)
})

const list = (page: Page) => page.locator('section.split')
const openHint = async (page: Page, key: string): Promise<void> => {
  await page.goto(giftPath(key, 'select-ngo'))
  await expect(page.locator('.split-hint[data-live]')).toBeVisible()
}
const expectOpen = async (page: Page): Promise<void> => {
  await expect(list(page)).toBeVisible()
  await expect(list(page).locator('h1')).toBeFocused()
}

test('the hint is pressed as a button is, and a second tap of two changes nothing', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await openHint(page, privateKey)
  await action(page, 'show-list').focus()
  await expect(page.getByRole('button', { name: 'Show the list' })).toBeFocused()
  await page.keyboard.press('Space')
  await expectOpen(page)

  await openHint(page, privateKey)
  // Where the list has the button that gives a point.
  await page.mouse.dblclick(350, 300)
  await expectOpen(page)
  await expect(page.locator('[data-left]')).toHaveAttribute('data-left', '50')
  const hit = () => document.elementFromPoint(350, 300)?.closest('[data-ngo]') !== null
  expect(await page.evaluate(hit)).toBe(true)
})

test('words of the hint can be selected, and its link opened beside, without opening the list', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await openHint(page, privateKey)
  const { x = 0, y = 0 } = (await page.locator('.split-hint .lead').boundingBox()) ?? {}
  await page.mouse.move(x + 2, y + 12)
  await page.mouse.down()
  await page.mouse.move(x + 150, y + 12)
  await page.mouse.up()
  expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
  await page.evaluate(() =>
    addEventListener('click', event => {
      document.body.dataset.prevented = String(event.defaultPrevented)
      event.preventDefault()
    }),
  )
  await action(page, 'show-list').click({ modifiers: ['ControlOrMeta'] })
  await expect(page.locator('body')).toHaveAttribute('data-prevented', 'false')
  await expect(list(page)).toBeHidden()
})
