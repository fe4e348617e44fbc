import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { middleOf } from '#tests/support/e2e/first-press.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es })

/** Two taps before the browser has drawn again, as a double tap on a slow phone is. */
const tapTwice = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    main?.click()
    main?.click()
  })

/** Lets answers of this screen through when told to. */
async function holdBack(page: Page, screen: string): Promise<() => void> {
  let letGo = (): void => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route(`**/${screen}/*`, async route => {
    await held
    await route.continue()
  })
  return letGo
}

const isWhole = async (page: Page, screen: string): Promise<void> => {
  await atScreen(page, screen)
  await expect(page).toHaveURL(new RegExp(`/${screen}/`))
  for (const part of ['body > header', 'body > main', 'body > footer'])
    await expect(page.locator(part)).toHaveCount(1)
}

for (const key of ['a card', 'the try card'] as const) {
  test(`a double tap leads one screen on, and one step back, with ${key}`, async ({ page, site }) => {
    const id = key === 'a card' ? (await buyThroughApi(site)).privateKey : 'giftcard-try'
    await page.clock.install()
    const fetched = page.waitForResponse(/introduction-2/)
    await page.goto(giftPath(id, 'introduction-1'))
    await fetched
    await page.clock.runFor(3_100)
    const before = await page.evaluate(() => history.length)
    await tapTwice(page)
    await isWhole(page, 'introduction-2')
    expect(await page.evaluate(() => history.length)).toBe(before + 1)
    await page.goBack()
    await isWhole(page, 'introduction-1')
  })
}

test('taps while the next screen is still on its way lead one screen on', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  const letGo = await holdBack(page, 'introduction-2')
  await page.clock.install()
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await page.clock.runFor(3_100)
  const skip = await middleOf(page, '[data-action="skip"]')
  await tapTwice(page)
  // By places: a press on an element would wait until the page that is held back is there.
  await page.mouse.click(60, 600)
  await page.mouse.click(skip.x, skip.y)
  letGo()
  await isWhole(page, 'introduction-2')
  await action(page, 'skip').click()
  await isWhole(page, 'introduction-4')
})

test('going back twice shows the screen of the address, whichever answer comes last', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'introduction-1'))
  for (const screen of ['introduction-2', 'introduction-4']) {
    await action(page, 'skip').click()
    await isWhole(page, screen)
  }
  const letGo = await holdBack(page, 'introduction-2')
  const asked = page.waitForRequest(/introduction-2/)
  await page.evaluate(() => history.back())
  await asked
  await page.evaluate(() => history.back())
  await isWhole(page, 'introduction-1')
  const late = page.waitForResponse(/introduction-2/)
  letGo()
  await (await late).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await isWhole(page, 'introduction-1')
})

test('a way back that is taken while the next screen is on its way is kept', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  const letGo = await holdBack(page, 'introduction-4')
  await page.goto(giftPath(privateKey, 'introduction-1'))
  await action(page, 'skip').click()
  await isWhole(page, 'introduction-2')
  await action(page, 'skip').click()
  await page.goBack()
  await isWhole(page, 'introduction-1')
  const late = page.waitForResponse(/introduction-4/)
  letGo()
  await (await late).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await isWhole(page, 'introduction-1')
  await action(page, 'skip').click()
  await isWhole(page, 'introduction-2')
})
