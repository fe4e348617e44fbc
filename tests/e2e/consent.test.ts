import type { Page } from '@playwright/test'
import { TIMINGS } from '#domain/timings.ts'
import { buyThroughApi, giftPath } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { consentTaken, senderPath } from '#tests/support/e2e/buyer.ts'
import { middleOf, pressAt } from '#tests/support/e2e/first-press.ts'
import { kept, keptConsent } from '#tests/support/e2e/kept.ts'
import { tabTo } from '#tests/support/e2e/keyboard.ts'
import { action, atScreen, holdModules } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

const settings = (language: (typeof LANGUAGES)[number]): string => senderPath(language, 'cookies-settings')

/** Keeps the entry from leading on, so that what the answer itself stored can be seen. */
const stayAtEntry = (page: Page): Promise<unknown> => holdModules(page, '**/es')

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('the settings show three switches and answers of equal weight, and everybody can use them', async ({
      page,
    }) => {
      await page.goto(settings(language))
      await atScreen(page, 'cookies-settings')
      const switches = page.getByRole('switch')
      await expect(switches).toHaveCount(3)
      for (const [index, id] of ['necessary', 'anonymous'].entries()) {
        await expect(switches.nth(index)).toHaveAccessibleName(said(language, `cookies-settings-${id}`))
        await expect(switches.nth(index)).toBeChecked()
        await expect(switches.nth(index)).toBeDisabled()
      }
      await expect(switches.nth(2)).not.toBeChecked()
      await expect(page.locator('.when-off')).toBeVisible()
      await switches.nth(2).click()
      await expect(page.locator('.when-on')).toBeVisible()

      const looks = await Promise.all(
        ['accept-all', 'reject', 'reject-optional'].map(async name => {
          const button = action(page, name)
          const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 }
          const style = await button.evaluate(element => {
            const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(element)
            return { color, backgroundColor, borderColor, fontSize, fontWeight }
          })
          await expect(button).toBeInViewport({ ratio: 1 })
          return { width, height, ...style }
        }),
      )
      expect(looks[1]).toEqual(looks[0])
      expect(looks[2]).toEqual(looks[0])
      await expectAccessible(page, 'cookies-settings')
    })
  })
}

for (const [name, choice] of [
  ['accept-all', 'all'],
  ['reject-optional', 'reject-optional'],
  ['reject', 'reject'],
  ['save', 'reject-optional'],
] as const) {
  test(`${name} records ${choice} with its version and time, and leads to the entry`, async ({
    page,
    site,
  }) => {
    await page.goto(settings('es'))
    expect(await keptConsent(page)).toBeNull()
    const entry = page.waitForRequest(
      request => request.url() === `${site.url}/es` && request.isNavigationRequest(),
    )
    const before = Date.now()
    await action(page, name).click()
    await entry
    await consentTaken(page)
    const record = await keptConsent(page)
    expect(record).toMatchObject({ choice, version: 1, text: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(record?.at).toBeGreaterThanOrEqual(before)
    expect(record?.at).toBeLessThanOrEqual(Date.now())
  })
}

test('the switch, set and saved, accepts; the answer is shown to whoever comes back, and withdrawn by one press', async ({
  page,
}) => {
  await page.goto(settings('es'))
  await page.getByRole('switch').nth(2).click()
  await action(page, 'save').click()
  await consentTaken(page)
  expect((await keptConsent(page))?.choice).toBe('all')

  // Pseudo-anonymous statistics would have kept these.
  await page.evaluate(() => {
    localStorage.setItem('gift:analytics-user', 'u')
    localStorage.setItem('gift:analytics-session', 's')
    sessionStorage.setItem('gift:analytics-session', 's')
  })
  await page.goto(senderPath('es', 'ngo-list'))
  await action(page, 'cookies').click()
  await atScreen(page, 'cookies-settings')
  await expect(page.getByRole('switch').nth(2)).toBeChecked()
  await expect(page.getByText(said('es', 'cookies-settings-answered-all'))).toBeVisible()
  await action(page, 'reject').click()
  await consentTaken(page)
  expect((await keptConsent(page))?.choice).toBe('reject')
  expect((await kept(page)).filter(key => key.includes('analytics'))).toEqual([])
})

test('after reject nothing but the choice is stored', async ({ page }) => {
  await stayAtEntry(page)
  await page.goto(settings('es'))
  await action(page, 'reject').click()
  await atScreen(page, 'entry')
  expect(await kept(page)).toEqual(['gift:consent', ''])
})

test('by keyboard: the switch, the texts in a panel, and an answer', async ({ page }) => {
  await page.goto(settings('es'))
  await tabTo(page, '[data-consent-switch="pseudo-anonymous"]')
  await page.keyboard.press('Space')
  await expect(page.getByRole('switch').nth(2)).toBeChecked()
  await tabTo(page, '[data-panel="cookies-policy"]')
  await page.keyboard.press('Enter')
  await expect(page.locator('dialog.panel #panel-title')).toHaveText(said('es', 'cookies-policy-title'))
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-panel="cookies-policy"]')).toBeFocused()
  await tabTo(page, '[data-action="save"]')
  await page.keyboard.press('Enter')
  await consentTaken(page)
  expect((await keptConsent(page))?.choice).toBe('all')
})

test('a record that was tampered with counts as none', async ({ page }) => {
  await page.goto(settings('es'))
  await page.evaluate(() => localStorage.setItem('gift:consent', '{"choice":"all","version":0,"at":1}'))
  await page.reload()
  await expect(page.getByRole('switch').nth(2)).not.toBeChecked()
  await expect(page.locator('[data-answered]:visible')).toHaveCount(0)
})

test('an answer to an older question loads no statistics; a new yes does', async ({ page }) => {
  const told = (): Promise<unknown> => page.waitForRequest(/\/api\/analytics\//)
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await stayAtEntry(page)
  await page.goto(settings('es'))
  await page.evaluate(() => localStorage.setItem('gift:consent', '{"choice":"all","version":0,"at":1}'))
  await page.reload()
  await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
  expect(asked.filter(path => path.startsWith('/api/analytics/'))).toEqual([])
  const first = told()
  await action(page, 'accept-all').click()
  await atScreen(page, 'entry')
  // The page that was left may have been too short for it; the next one tells.
  await page.goto(senderPath('es', 'ngo-list'))
  await first
})

test.describe('on a recipient’s first screen', () => {
  const bar = (page: Page) => page.locator('section.ask')

  test('a bar asks, covers nothing, moves nothing, and goes with the answer', async ({ page, site }) => {
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await expect(bar(page)).toBeVisible()
    await expectAccessible(page, 'introduction-1 with the bar')
    const hit = await action(page, 'continue').evaluate(link => {
      const { left, top, width, height } = link.getBoundingClientRect()
      return link.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect(hit).toBe(true)
    await bar(page).locator('[data-consent="reject"]').click()
    await expect(bar(page)).toBeHidden()
    await atScreen(page, 'introduction-1')
    await expect(page.locator('main h1')).toBeFocused()
    expect((await keptConsent(page))?.choice).toBe('reject')
    expect(await kept(page)).toEqual(['gift:consent', 'gift:opened', ''])

    await page.reload()
    await expect(bar(page)).toBeHidden()
  })

  test('the bar stands in no one’s way: the story goes on, and asks nothing on the other screens', async ({
    page,
    site,
  }) => {
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await action(page, 'continue').click()
    await atScreen(page, 'introduction-2')
    await expect(bar(page)).toHaveCount(0)
    await expect(action(page, 'cookies')).toBeVisible()
    expect(await keptConsent(page)).toBeNull()
    await page.goBack()
    await expect(bar(page)).toBeVisible()
  })

  test('from the settings a recipient comes back to the gift', async ({ page, site }) => {
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await bar(page).getByRole('link').click()
    await atScreen(page, 'cookies-settings')
    await action(page, 'accept-all').click()
    await atScreen(page, 'introduction-1')
    await expect(bar(page)).toBeHidden()
    expect((await keptConsent(page))?.choice).toBe('all')
  })

  test('the bar is one line that comes with the hint, and takes a press from its first frame', async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const { privateKey } = await buyThroughApi(site, { language: 'es' })
    // What fades in waits until the test has looked, however long a busy machine takes for that.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Animation.enable')
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
    await page.goto(giftPath(privateKey, 'introduction-1'))
    // In the page from the beginning, so that nothing moves; seen no sooner than the hint.
    expect(await bar(page).evaluate(({ clientHeight }) => clientHeight)).toBeLessThan(60)
    await expect(bar(page)).toHaveCSS('visibility', 'hidden')
    const { x, y } = await middleOf(page, '[data-consent="reject"]')
    await pressAt(page, 'mouse', { x, y })
    expect(await keptConsent(page)).toBeNull()
    const goesOnAt = await page.evaluate(() => performance.now())
    await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 })
    await page.waitForFunction(
      () => getComputedStyle(document.querySelector('.ask')!).visibility === 'visible',
    )
    const shownAt = await page.evaluate(() => performance.now())
    expect(shownAt - goesOnAt).toBeGreaterThan(TIMINGS.introductionFirstWait * 0.9)
    await pressAt(page, 'mouse', { x, y })
    await expect(bar(page)).toBeHidden()
    expect((await keptConsent(page))?.choice).toBe('reject')
    await atScreen(page, 'introduction-1')
  })

  test('at 320 px the bar leaves the words and the way on in sight', async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const { privateKey } = await buyThroughApi(site, { sender: 'Íñigo' })
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await expect(page.locator('h1')).toBeInViewport({ ratio: 1 })
    await expect(action(page, 'continue')).toBeInViewport({ ratio: 1 })
  })

  test('where storage is blocked nothing is asked', async ({ page, site }) => {
    const { privateKey } = await buyThroughApi(site)
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException('blocked', 'SecurityError')
          },
        })
    })
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await expect(bar(page)).toBeHidden()
  })
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('nothing asks, and the settings say why', async ({ page, site }) => {
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await expect(page.locator('section.ask')).toBeHidden()
    await page.goto(settings('es'))
    await expect(page.locator('noscript .note')).toHaveText(said('es', 'cookies-settings-needs-script'))
    await expect(action(page, 'accept-all')).toBeHidden()
    await page.locator('form [data-panel="cookies-policy"]').click()
    await atScreen(page, 'cookies-policy')
  })
})
