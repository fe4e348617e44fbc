import type { Page } from '@playwright/test'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { holdFades, stopClock, tapAnywhere } from '#tests/support/e2e/waiting.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es })

const SPLASH = '/es/intro'
const DESIGN = senderPath('es', 'gift-card-design-donation')

/** When each part of the screen begins to come, and how long that takes, ms. */
const fades = (page: Page): Promise<(readonly [string, number, number])[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(fade => fade.effect instanceof KeyframeEffect && fade.effect.target?.closest('main'))
      .map(fade => {
        const effect = fade.effect as KeyframeEffect
        const { delay = 0, duration } = effect.getTiming()
        return [
          effect.target?.className.split(' ')[0] || effect.target?.tagName || '',
          delay,
          Number(duration),
        ]
      }),
  )

/** How many parts of the screen are coming, or have come to stay by their fade, `ms` after it was shown. */
const begunAt = (page: Page, ms: number): Promise<number> =>
  page.evaluate(ms => {
    const fades = document
      .getAnimations()
      .filter(fade => fade.effect instanceof KeyframeEffect && fade.effect.target?.closest('main'))
    for (const fade of fades) {
      fade.pause()
      fade.currentTime = ms
    }
    return fades.filter(
      ({ effect }) => Number(getComputedStyle((effect as KeyframeEffect).target!).opacity) > 0.01,
    ).length
  }, ms)

for (const [screen, path, begun] of [
  [
    'intro',
    SPLASH,
    [
      [1_500, 0, 1],
      [3_500, 1, 2],
      [6_000, 2, 4],
    ],
  ],
  ['gift-card-design-donation', DESIGN, [[2_000, 1, 2]]],
  [
    'packages-donation',
    senderPath('es', 'packages-donation'),
    [
      [1_000, 0, 1],
      // By then the lead has come.
      [5_000, 1, 4],
    ],
  ],
] as const)
  test(`${screen} lets nothing come 50 ms before its time, and everything 50 ms after`, async ({ page }) => {
    await holdFades(page)
    await page.goto(path)
    await atScreen(page, screen)
    for (const [wait, before, after] of begun) {
      expect(await begunAt(page, wait - 50), `50 ms before ${wait}`).toBe(before)
      expect(await begunAt(page, wait + 50), `50 ms after ${wait}`).toBe(after)
    }
  })

for (const [screen, path, wait, next] of [
  ['intro', SPLASH, 6_000, 'choose-theme'],
  ['gift-card-design-donation', DESIGN, 2_000, 'how-it-works-donation'],
] as const) {
  test(`${screen} ignores a tap 50 ms before its ${wait / 1_000} s and takes one 50 ms after`, async ({
    page,
  }) => {
    await stopClock(page)
    await page.goto(path)
    await atScreen(page, screen)
    await page.clock.runFor(wait - 50)
    await tapAnywhere(page)
    await action(page, 'continue').click()
    await atScreen(page, screen)
    await page.clock.runFor(100)
    await tapAnywhere(page)
    await atScreen(page, next)
  })

  test(`${screen} lets Skip through from the first moment`, async ({ page }) => {
    await stopClock(page)
    await page.goto(path)
    await action(page, 'skip').click()
    await atScreen(page, next)
  })

  test(`${screen} neither waits nor moves with reduced motion, nor with the calm switch`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await stopClock(page)
    await page.goto(path)
    await atScreen(page, screen)
    expect(await fades(page)).toEqual([])
    await tapAnywhere(page)
    await atScreen(page, next)

    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto(path)
    await page.locator('details.switch summary').click()
    await action(page, 'calm').click()
    expect(await fades(page)).toEqual([])
    await page.keyboard.press('Escape')
    await tapAnywhere(page)
    await atScreen(page, next)
  })
}

test('the splash comes in three steps, and the text is there from the start', async ({ page }) => {
  await stopClock(page)
  await page.goto(SPLASH)
  expect((await fades(page)).map(([, delay]) => delay)).toEqual([1_500, 3_500, 6_000, 6_000])
  await expect(page.locator('main')).toHaveText(/\S.*\S/)
})

test('the design phrase takes 7 s to come, its hint follows after 2 s', async ({ page }) => {
  await stopClock(page)
  await page.goto(DESIGN)
  expect(await fades(page)).toEqual([
    ['display', 0, 7_000],
    ['splash-continue', 2_000, 1_000],
  ])
})

test('the packages come after 1 s and 5 s on a first visit, at once on a second', async ({ page }) => {
  await holdFades(page)
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  const [lead, ...rest] = (await fades(page)).map(([, delay]) => delay)
  expect(lead).toBe(1_000)
  expect(new Set(rest)).toEqual(new Set([5_000]))
  await page.reload()
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  expect(await fades(page)).toEqual([])
})

test('a visitor who reloads before all scripts of the packages are there has seen them come', async ({
  page,
}) => {
  await page.route('**/choosing.*.js', () => {})
  await holdFades(page)
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  expect(await fades(page)).not.toEqual([])
  await page.reload()
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  expect(await fades(page)).toEqual([])
})

/** On a first visit to the packages, this long after they were shown, ms. */
async function packagesAt(page: Page, ms: number): Promise<void> {
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await begunAt(page, ms)
}
/** As on a first visit again. */
const forget = (page: Page): Promise<void> =>
  page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })

const FIRST = '[data-kind] label'

/** Taps the middle of a part that is in sight, without the scroll that `click` may begin with. */
async function tapOn(page: Page, part: string): Promise<void> {
  const box = await page.locator(part).filter({ visible: true }).first().boundingBox()
  if (!box) throw new Error(`${part} is not on the screen`)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

for (const [what, part, outcome] of [
  ['a package', FIRST, 'input[name="package"]:checked'],
  ['Continue', '[data-action="continue"]', '#package-missing:not(:empty)'],
] as const)
  test(`a tap on ${what} 50 ms before the packages come only shows them; it counts 50 ms after`, async ({
    page,
  }) => {
    await packagesAt(page, 4_950)
    await tapOn(page, part)
    expect(await fades(page)).toEqual([])
    await expect(page.locator(outcome)).toHaveCount(0)
    await tapOn(page, part)
    await expect(page.locator(outcome)).toHaveCount(1)

    await forget(page)
    await packagesAt(page, 5_050)
    await tapOn(page, part)
    await expect(page.locator(outcome)).toHaveCount(1)
  })

test('a key shows the packages before it acts, and what a screen reader presses counts at once', async ({
  page,
}) => {
  await packagesAt(page, 100)
  await page.keyboard.press('Tab')
  expect(await fades(page)).toEqual([])

  await forget(page)
  await packagesAt(page, 100)
  // An order that leaves a card out has it first, hidden.
  await page.locator(FIRST).filter({ visible: true }).first().dispatchEvent('click', { detail: 0 })
  await expect(page.locator('input[name="package"]:checked')).toHaveCount(1)
})

test('a free campaign’s visitor waits for nothing on the packages', async ({ page }) => {
  await page.goto(senderPath('es', 'donate-us'))
  await page.evaluate(() =>
    sessionStorage.setItem(
      'gift:entry',
      '{"campaign":{"kind":"free","code":"gift-seed","source":"instagram"}}',
    ),
  )
  await page.goto(senderPath('es', 'packages-donation'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  expect(await fades(page)).toEqual([])
})
