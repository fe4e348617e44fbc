import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, type Points } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { middleOf, POINTERS, pressAt } from '#tests/support/e2e/first-press.ts'
import { tabTo } from '#tests/support/e2e/keyboard.ts'
import { amountsShown, showList } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, tryAction } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en })

const number = (page: Page, ngo: string) => page.locator(`[data-ngo="${ngo}"] input`)
const told = (page: Page) => page.locator('[data-said]')
const left = (page: Page) => page.locator('[data-left]')

/** The list of a new card, open. */
async function openList(page: Page, site: Site, card: Parameters<typeof buyThroughApi>[1] = {}) {
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  const bought = await buyThroughApi(site, card)
  await page.goto(giftPath(bought.privateKey, 'select-ngo'))
  await showList(page)
  return bought
}

async function give(page: Page, points: Points): Promise<void> {
  for (const [ngo, given] of Object.entries(points)) await number(page, ngo).fill(String(given))
}

/** How far each row is filled, as a part of its width, once nothing moves. */
const filled = (page: Page) =>
  page.locator('.ngo').evaluateAll(rows =>
    Promise.all(
      rows.map(async row => {
        const fill = row.querySelector('.ngo-fill')!
        await Promise.all(fill.getAnimations().map(({ finished }) => finished))
        const part = fill.getBoundingClientRect().width / row.getBoundingClientRect().width
        return Math.round(part * 100)
      }),
    ),
  )

/** Windows of phones and desks, and heights between them at which another row lies at the bar. */
const WINDOWS = [
  [320, 568],
  [320, 640],
  [390, 664],
  [390, 844],
  [412, 823],
  [412, 900],
  [1280, 720],
  [1280, 800],
] as const

/** The names of the controls of which the bar below leaves only a part. */
const cutByBar = (page: Page) =>
  page.locator('.ngo-step, .split-draw a').evaluateAll(buttons => {
    const edge = document.querySelector('.split-actions')!.getBoundingClientRect().top
    return buttons
      .filter(button => {
        const { top, bottom } = button.getBoundingClientRect()
        return top < edge - 1 && edge + 1 < bottom
      })
      .map(button => button.getAttribute('aria-label') ?? button.textContent)
  })

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language], ...STILL })

    test('five organisations and all that moves them stand in one window of a phone', async ({
      page,
      site,
    }) => {
      await openList(page, site)
      const inView = await page.evaluate(() => {
        const edge = (selector: string) => document.querySelector(selector)!.getBoundingClientRect()
        const [top, bottom] = [edge('.split-head').bottom, edge('.split-actions').top]
        return [...document.querySelectorAll('.ngo')]
          .map(row => row.getBoundingClientRect())
          .filter(row => row.top >= top - 1 && row.bottom <= bottom + 1).length
      })
      expect(inView).toBeGreaterThanOrEqual(5)
      for (const name of ['share-evenly', 'clear', 'undo', 'continue'])
        await expect(action(page, name)).toBeInViewport({ ratio: 1 })
    })

    test('the bar below cuts through no button, before a scroll nor where the keyboard is', async ({
      page,
      site,
    }) => {
      const bought = await openList(page, site)
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height })
        await page.goto(giftPath(bought.privateKey, 'select-ngo'))
        await showList(page)
        expect(await page.evaluate(() => scrollY)).toBe(0)
        expect(await cutByBar(page), `${width} × ${height}`).toEqual([])
        await expectAccessible(page, `select-ngo, ${width} × ${height}`)
        for (const button of await page.locator('.ngo-step').all()) {
          await button.focus()
          const covered = await button.evaluate(element => {
            const { top, bottom } = element.getBoundingClientRect()
            const bar = document.querySelector('.split-actions')!.getBoundingClientRect()
            return top < bar.bottom && bottom > bar.top
          })
          expect(covered, `${width} × ${height}`).toBe(false)
        }
      }
    })

    test('the split is read back as a sentence, and the button says what is given', async ({
      page,
      site,
    }) => {
      await openList(page, site)
      await give(page, { 'ngo-unrwa': 20, 'ngo-cerf': 20, 'ngo-irc': 10 })
      await action(page, 'continue').click()
      const sentence = {
        es: '20 € para el CERF, 20 € para la UNRWA y 10 € para el IRC.',
        en: '€20 for CERF, €20 for UNRWA, and €10 for the IRC.',
        fr: '20 € pour le CERF, 20 € pour l’UNRWA et 10 € pour l’IRC.',
      }[language]
      await expect(page.locator('[data-sentence]')).toHaveText(sentence)
      const credit = language === 'en' ? '€50' : '50 €'
      await expect(action(page, 'confirm')).toHaveText(said(language, 'select-ngo-confirm', { credit }))
      expect(Object.keys(await amountsShown(page))).toEqual(['ngo-cerf', 'ngo-unrwa', 'ngo-irc'])
      await expectAccessible(page, 'select-ngo, read back')
    })
  })
}

/** A phone's, the smallest one's, one on its side, and a desk's. */
const HASTY_WINDOWS = [
  [390, 844],
  [320, 568],
  [320, 640],
  [568, 320],
  [1280, 800],
] as const

for (const pointer of POINTERS)
  test.describe(`with motion on, by ${pointer}`, () => {
    test.use({ hasTouch: true, contextOptions: { reducedMotion: 'no-preference' } })

    test('the second tap of two on Continue gives nothing that was not read', async ({ page, site }) => {
      const given: string[] = []
      page.on('request', request => {
        if (request.method() === 'POST' && request.url().includes('/api/ajuda/')) given.push(request.url())
      })
      await page.addInitScript(() =>
        addEventListener(
          'click',
          ({ timeStamp }) => {
            sessionStorage.setItem('clicks', `${sessionStorage.getItem('clicks') ?? ''} ${timeStamp}`)
          },
          { capture: true },
        ),
      )
      /** ms between two taps on Continue of a new card's list. */
      const tapTwice = async (points: Points): Promise<number> => {
        await openList(page, site)
        await give(page, points)
        await action(page, 'continue').scrollIntoViewIfNeeded()
        const place = await middleOf(page, '[data-action="continue"]')
        await page.evaluate(() => sessionStorage.removeItem('clicks'))
        await pressAt(page, pointer, place)
        await pressAt(page, pointer, place)
        const clicks = await page.evaluate(() => sessionStorage.getItem('clicks'))
        const [first = 0, second = 0] = (clicks ?? '').trim().split(' ').map(Number)
        return second - first
      }
      for (const [width, height] of HASTY_WINDOWS)
        for (const points of [{ 'ngo-msf': 50 }, { 'ngo-msf': 30, 'ngo-irc': 20 }] as const) {
          await page.setViewportSize({ width, height })
          // A busy machine is slower than a hand: what came too late was no double tap.
          do given.length = 0
          while ((await tapTwice(points)) > 450)
          await expect(action(page, 'confirm'), `${width} × ${height}`).toBeVisible()
          await page.evaluate(() => new Promise(requestAnimationFrame))
          expect(given, `${width} × ${height}`).toEqual([])
          // By a key: a quick machine would press at that place within the same half second.
          await action(page, 'cancel').press('Enter')
          await expect(page.locator('.split')).toBeVisible()
        }
    })
  })

for (const isStill of [false, true]) {
  test.describe(isStill ? 'with nothing moving' : 'with motion on', () => {
    test.use({ contextOptions: { reducedMotion: isStill ? 'reduce' : 'no-preference' } })

    test('each row is filled with its share, at once or within a moment', async ({ page, site }) => {
      await openList(page, site)
      expect(await filled(page)).toEqual([0, 0, 0, 0, 0, 0, 0])
      await give(page, { 'ngo-msf': 20, 'ngo-cerf': 10 })
      const moving = await page.evaluate(() => {
        const style = getComputedStyle(document.querySelector('.ngo-fill')!)
        return [style.transitionProperty, style.transitionDuration]
      })
      expect(moving).toEqual(isStill ? ['none', '0s'] : ['transform', '0.18s'])
      expect(await filled(page)).toEqual([40, 20, 0, 0, 0, 0, 0])
      await action(page, 'share-evenly').click()
      expect(await filled(page)).toEqual([14, 14, 14, 14, 14, 14, 14])
      if (isStill) await expectAccessible(page, 'select-ngo, shared evenly')
    })
  })
}

test('sharing evenly and clearing can be taken back, once, until something else is moved', async ({
  page,
  site,
}) => {
  await openList(page, site)
  const undo = action(page, 'undo')
  await expect(undo).toHaveAttribute('aria-disabled', 'true')
  await expect(action(page, 'clear')).toHaveAttribute('aria-disabled', 'true')
  await give(page, { 'ngo-msf': 12, 'ngo-irc': 3 })
  await action(page, 'share-evenly').click()
  await expect(number(page, 'ngo-msf')).toHaveValue('7')
  await undo.click()
  await expect(told(page)).toHaveText(said('en', 'select-ngo-undone', { left: '€35' }))
  await expect(told(page)).toBeVisible()
  await expect(number(page, 'ngo-msf')).toHaveValue('12')
  await expect(undo).toHaveAttribute('aria-disabled', 'true')

  await action(page, 'clear').click()
  await expect(told(page)).toHaveText(said('en', 'select-ngo-cleared', { left: '€50' }))
  await expect(left(page)).toHaveAttribute('data-left', '50')
  await undo.click()
  await expect(number(page, 'ngo-irc')).toHaveValue('3')
  await expect(left(page)).toHaveAttribute('data-left', '35')

  await action(page, 'clear').click()
  await number(page, 'ngo-wfp').fill('1')
  await expect(undo).toHaveAttribute('aria-disabled', 'true')
  await tryAction(page, 'undo')
  await expect(left(page)).toHaveAttribute('data-left', '49')
})

test('the keyboard comes from a row’s move to its undo, and from a row to the organisation’s page', async ({
  page,
  site,
}) => {
  await openList(page, site)
  await tabTo(page, '[data-action="share-evenly"]')
  await page.keyboard.press('Enter')
  await expect(left(page)).toHaveAttribute('data-left', '1')
  await page.keyboard.press('Tab')
  await expect(action(page, 'clear')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(left(page)).toHaveAttribute('data-left', '50')
  await expect(action(page, 'undo')).toBeFocused()
  await tabTo(page, '[data-ngo="ngo-msf"] [data-action="add"]')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.locator('[data-ngo="ngo-msf"] .ngo-page')).toBeFocused()
  await expect(left(page)).toHaveAttribute('data-left', '49')
})

test('a card too small for all is shared by lot: it says so, and the rows show with whom', async ({
  page,
  site,
}) => {
  await openList(page, site, { packageId: 'keep the chain', ngoAmount: 200 })
  await action(page, 'share-evenly').click()
  await expect(told(page)).toHaveText(
    said('en', 'select-ngo-even-some', { credit: '€2', count: 2, total: 7 }),
  )
  await expect(told(page)).toBeVisible()
  expect((await filled(page)).toSorted((a, b) => b - a)).toEqual([50, 50, 0, 0, 0, 0, 0])
})

test('each organisation has a link to its own page, which learns nothing of the card', async ({
  page,
  site,
  context,
  watch,
}) => {
  watch.expectFault(/^foreign request: https:\/\/www\.doctorswithoutborders\.org\/$/)
  await openList(page, site)
  const links = page.locator('.ngo-page')
  await expect(links).toHaveCount(7)
  const { origin } = new URL(page.url())
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('href', /^https:\/\//)
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  }
  await expect(links.first()).toHaveAttribute('href', 'https://www.doctorswithoutborders.org/')
  await expect(links.first()).toHaveAccessibleName(
    `doctorswithoutborders.org , ${said('en', 'select-ngo-page-of', { ngo: 'Doctors Without Borders (MSF)' })}`,
  )
  let referrer: string | undefined = 'never asked'
  await context.route(
    url => url.origin !== origin,
    route => {
      referrer = route.request().headers().referer
      return route.fulfill({ contentType: 'text/html', body: '<p>theirs' })
    },
  )
  const opened = context.waitForEvent('page')
  const place = (await links.first().boundingBox())!
  await page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  const theirs = await opened
  await expect(theirs.getByText('theirs')).toBeVisible()
  expect(referrer).toBeUndefined()
  expect(await theirs.evaluate(() => [document.referrer, window.opener])).toEqual(['', null])
  // It was no point for that organisation.
  await expect(left(page)).toHaveAttribute('data-left', '50')
})

test('quick taps anywhere on a row all count, and are said as one', async ({ page, site }) => {
  await openList(page, site)
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(window, { heard })
    const said = document.querySelector('[data-said]')!
    new MutationObserver(() => heard.push(said.textContent ?? '')).observe(said, {
      characterData: true,
      childList: true,
      subtree: true,
    })
  })
  const row = (await page.locator('[data-ngo="ngo-unicef"]').boundingBox())!
  // On the name, beneath it at the edge, and on the button: each is the row.
  const places = [
    [40, 16],
    [4, row.height - 12],
    [row.width - 45, 25],
  ] as const
  // Quick, however busy the machine is: no time passes between them.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const [x, y] of [...places, ...places]) await page.mouse.click(row.x + x, row.y + y)
  await expect(number(page, 'ngo-unicef')).toHaveValue('6')
  const words = said('en', 'select-ngo-announce', { ngo: 'UNICEF', amount: '€6', left: '€44' })
  await expect(told(page)).toHaveText('')
  await page.clock.runFor(400)
  await expect(told(page)).toHaveText(words)
  expect(await page.evaluate(() => Reflect.get(window, 'heard'))).toEqual([words])
})

test('a press on a row counts from the list’s first frame, with motion on', async ({ page, site }) => {
  await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await showList(page)
  const row = (await page.locator('[data-ngo="ngo-msf"]').boundingBox())!
  await page.mouse.click(row.x + 60, row.y + 20)
  await expect(number(page, 'ngo-msf')).toHaveValue('1')
  await action(page, 'continue').click()
  const button = (await action(page, 'confirm').boundingBox())!
  await page.mouse.click(button.x + 40, button.y + 20)
  await atScreen(page, 'thanks')
})

test('Back on the confirm view leads to the list as it was, and Forward to the sentence again', async ({
  page,
  site,
}) => {
  await openList(page, site)
  await give(page, { 'ngo-msf': 50 })
  const { href } = new URL(page.url())
  await action(page, 'continue').click()
  await expect(page.locator('[data-sentence]')).toHaveText('€50 for MSF.')
  await page.goBack()
  await expect(number(page, 'ngo-msf')).toHaveValue('50')
  expect(page.url()).toBe(href)
  await page.goForward()
  await expect(page.locator('[data-sentence]')).toHaveText('€50 for MSF.')
})

test('what went wrong is told in the title, until it is tried again', async ({ page, site, watch }) => {
  watch.expectFault(/status of 503/)
  await openList(page, site)
  const plain = await page.title()
  await give(page, { 'ngo-msf': 50 })
  await action(page, 'continue').click()
  await page.route('**/api/ajuda/giftcard/*', route =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: '{"code":"temporarily-unavailable"}',
    }),
  )
  await action(page, 'confirm').click()
  await expect(action(page, 'retry')).toBeVisible()
  await expect(page).toHaveTitle(said('en', 'common-error-title', { title: plain }))
  await action(page, 'cancel').click()
  await expect(page).toHaveTitle(plain)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, locale: LOCALES.fr })

  test('the form has the links, tells its errors in the title, and reads the split back', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 422/)
    const { privateKey } = await buyThroughApi(site)
    await page.goto(giftPath(privateKey, 'select-ngo'))
    await expect(page.locator('[data-ngo="ngo-msf"] .ngo-page')).toHaveAttribute(
      'href',
      'https://www.msf.fr/',
    )
    await expect(page.locator('.ngo-page[rel="noopener noreferrer"]')).toHaveCount(7)
    await expect(number(page, 'ngo-msf')).toHaveAccessibleName('Médecins Sans Frontières')
    const plain = await page.title()
    await action(page, 'continue').click()
    await expect(page).toHaveTitle(said('fr', 'common-error-title', { title: plain }))
    await give(page, { 'ngo-msf': 20, 'ngo-irc': 5 })
    await action(page, 'continue').click()
    await expect(page).toHaveTitle(plain)
    await expect(page.locator('[data-sentence]')).toHaveText(
      '40 € pour Médecins Sans Frontières et 10 € pour l’IRC.',
    )
    await expect(action(page, 'confirm')).toHaveText(said('fr', 'select-ngo-confirm', { credit: '50 €' }))
  })
})
