import { type BoughtCard, buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { liveHint, STORY, showList } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { test as base, expect } from '#tests/support/e2e/test.ts'
import { now, stopClock, tapAnywhere, timesLeft } from '#tests/support/e2e/waiting.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

/** One card for every test here: looking uses nothing up. */
const test = base.extend<object, { card: BoughtCard }>({
  card: [async ({ site }, use) => use(await buyThroughApi(site)), { scope: 'worker' }],
})
test.use({ locale: LOCALES.es })

const NEXT = [...STORY.slice(1).map(([screen]) => screen), 'select-ngo']

/** Reached by their addresses only. */
const VARIANTS = [
  ['introduction-3', 2_000, 'introduction-4'],
  ['introduction-8', 2_000, 'introduction-9'],
  ['introduction-9', 2_000, 'select-ngo'],
] as const
const GATES = [
  ...STORY.map(([screen, wait], index) => [screen, wait, NEXT[index] ?? ''] as const),
  ...VARIANTS,
]

for (const [screen, wait, next] of GATES) {
  test(`${screen} ignores a tap 50 ms before its ${wait / 1_000} s and takes one 50 ms after`, async ({
    page,
    card,
  }) => {
    await stopClock(page)
    const fetched = page.waitForResponse(answer => answer.url().includes(`/${next}/`))
    await page.goto(giftPath(card.privateKey, screen))
    await atScreen(page, screen)
    await fetched
    const begun = await now(page)
    await page.clock.runFor(wait - 50)
    await tapAnywhere(page)
    await action(page, 'continue').click()
    expect(await timesLeft(page)).toEqual([])
    await page.clock.runFor(100)
    await tapAnywhere(page)
    await atScreen(page, next)
    // The list is a page of its own; the others take each other's place, and say when.
    if (next !== 'select-ngo') expect(await timesLeft(page)).toEqual([begun + wait + 50])
  })
}

test('the text of the ninth comes after 7 s, of every other after 2 s', async ({ page, card }) => {
  await stopClock(page)
  for (let number = 1; number <= 9; number++) {
    await page.goto(giftPath(card.privateKey, `introduction-${number}`))
    await expect(page.locator('h1')).toHaveCSS('animation-delay', number === 9 ? '7s' : '2s')
  }
})

test('Skip leads on at once, from the first moment', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'introduction-1'))
  for (const next of NEXT) {
    await action(page, 'skip').click()
    await atScreen(page, next)
  }
})

test('the first screen leads to the gift at once', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'introduction-1'))
  await action(page, 'gift').click()
  await atScreen(page, 'select-ngo')
})

test('with reduced motion nothing waits', async ({ page, card }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'introduction-1'))
  for (const next of NEXT) {
    await tapAnywhere(page)
    await atScreen(page, next)
  }
  await expect(page.locator('section.split')).toBeVisible()
  await expect(page.locator('section.split')).toContainText(/mantén pulsado/i)
})

test('with the calm switch nothing waits, also on the next visit', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'introduction-1'))
  await page.locator('details.switch summary').click()
  await action(page, 'calm').click()
  await expect(action(page, 'calm')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await tapAnywhere(page)
  await atScreen(page, 'introduction-2')
  await page.goto(giftPath(card.privateKey, 'introduction-5'))
  await tapAnywhere(page)
  await atScreen(page, 'introduction-6')
})

test('the calm switch still works on a screen that Back has brought again', async ({ page, card }) => {
  await page.goto(giftPath(card.privateKey, 'introduction-1'))
  await atScreen(page, 'introduction-1')
  await action(page, 'skip').click()
  await atScreen(page, 'introduction-2')
  await page.goBack()
  await atScreen(page, 'introduction-1')
  await page.locator('details.switch summary').click()
  await action(page, 'calm').click()
  await expect(action(page, 'calm')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('html')).toHaveClass(/calm/)
})

test('Back shows the screens before, and a reload stays', async ({ page, card, site }) => {
  await page.goto(giftPath(card.privateKey, 'introduction-1'))
  for (const screen of ['introduction-2', 'introduction-4']) {
    await action(page, 'skip').click()
    await atScreen(page, screen)
  }
  await page.goBack()
  await atScreen(page, 'introduction-2')
  expect(page.url()).toBe(site.url + giftPath(card.privateKey, 'introduction-2'))
  await page.reload()
  await atScreen(page, 'introduction-2')
  await page.goBack()
  await atScreen(page, 'introduction-1')
  await page.goForward()
  await atScreen(page, 'introduction-2')
})

test('a first load in a browser session begins the story, a second one stays where it is', async ({
  page,
  card,
}) => {
  await page.goto(giftPath(card.privateKey, 'introduction-6'))
  await atScreen(page, 'introduction-1')
  await page.goto(giftPath(card.privateKey, 'introduction-6'))
  await atScreen(page, 'introduction-6')
  await page.goto(giftPath(card.privateKey, 'select-ngo'))
  await atScreen(page, 'select-ngo')
})

test('the hint before the list gives way after 8 s', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'select-ngo'))
  // The hint stands there before the code that counts the seconds has come.
  await expect(liveHint(page)).toBeVisible()
  await page.clock.runFor(7_950)
  await expect(page.locator('section.split-hint')).toBeVisible()
  await page.clock.runFor(100)
  await expect(page.locator('section.split')).toBeVisible()
})

test('the hint before the list gives way at once to a tap anywhere', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'select-ngo'))
  await expect(liveHint(page)).toBeVisible()
  await tapAnywhere(page)
  await expect(page.locator('section.split')).toBeVisible()
})

test('a half-made split is there again after a reload', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'select-ngo'))
  // What is written before the list's code has come is kept by nobody who leaves at once.
  await showList(page)
  await page.locator('[data-ngo="ngo-msf"] input').fill('12')
  await page.reload()
  await expect(page.locator('[data-ngo="ngo-msf"] input')).toHaveValue('12')
  await expect(page.locator('[data-left]')).toHaveAttribute('data-left', '38')
})

test('a held press repeats, and cannot give more than there is', async ({ page, card }) => {
  await stopClock(page)
  await page.goto(giftPath(card.privateKey, 'select-ngo'))
  await action(page, 'show-list').click()
  const msf = page.locator('[data-ngo="ngo-msf"]')
  await msf.locator('[data-action="add"]').hover()
  await page.mouse.down()
  await page.clock.runFor(10_000)
  await expect(msf.locator('input')).toHaveValue('50')
  await page.mouse.up()
  await expect(msf.locator('input')).toHaveValue('50')
  await msf.locator('[data-action="remove"]').click()
  await expect(msf.locator('input')).toHaveValue('49')
})
