import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { tabTo } from '#tests/support/e2e/keyboard.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 840 }

const panel = (page: Page): Locator => page.locator('dialog.panel')
const control = (page: Page, name: string): Locator => page.locator(`.page-foot [data-panel="${name}"]`)

async function openPanel(page: Page, name: string): Promise<Locator> {
  await control(page, name).click()
  await expect(panel(page)).toHaveAttribute('open', '')
  return panel(page)
}

/** Drags the open panel by its head, in `ms` by the events' own clock. */
async function drag(page: Page, by: { x?: number; y?: number }, ms: number): Promise<void> {
  await panel(page).evaluate(
    (dialog, { x = 0, y = 0, ms }) => {
      const head = dialog.querySelector('.panel-head')!
      // No finger is down: there is nothing to capture.
      head.setPointerCapture = () => {}
      const send = (type: string, share: number): void => {
        const event = new PointerEvent(type, {
          bubbles: true,
          isPrimary: true,
          button: 0,
          pointerId: 7,
          clientX: 200 + x * share,
          clientY: 200 + y * share,
        })
        Object.defineProperty(event, 'timeStamp', { value: 1_000 + ms * share })
        head.dispatchEvent(event)
      }
      send('pointerdown', 0)
      send('pointermove', 0.5)
      send('pointermove', 1)
      send('pointerup', 1)
    },
    { ...by, ms },
  )
}

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('who we are: the text, the links, the version and the bank-transfer line, above an inert page', async ({
      page,
      site,
    }) => {
      await page.goto(senderPath(language, 'packages-donation'))
      const open = await openPanel(page, 'who-we-are')
      await expect(open.locator('#panel-title')).toHaveText(said(language, 'who-we-are-title'))
      await expect(open.locator('#panel-title')).toBeFocused()
      await expect(open.locator('.prose p').first()).not.toBeEmpty()
      await expect(open.locator('[data-action="contact"]')).toHaveAttribute('href', /^mailto:.+@/)
      await expect(open.locator('[data-action="tip"]')).toHaveAttribute('href', /^https:/)
      await expect(open.locator('[data-action="network"]')).toHaveAttribute('href', /^https:/)
      await expect(open).toContainText('1.0.6')
      await expect(open).toContainText(said(language, 'who-we-are-bank-transfer'))
      await expect(page.locator('h1')).toHaveCount(1)
      await expectAccessible(page, 'the panel')
      expect(
        await page.evaluate(() => document.querySelector('main')?.contains(document.activeElement)),
      ).toBe(false)
      // The page is still the same: no navigation happened.
      expect(page.url()).toBe(site.url + senderPath(language, 'packages-donation'))
    })

    test('sharing: every way carries its own mark, and the address of this language', async ({
      page,
      site,
    }) => {
      await page.goto(senderPath(language, 'ngo-list'))
      const open = await openPanel(page, 'share')
      const home = `${site.url}/${language}`
      const way = (ref: string): Locator => open.locator(`[data-share-ref="${ref}"]`)
      for (const ref of ['whatsapp-group', 'whatsapp-message']) {
        const href = new URL((await way(ref).getAttribute('href')) ?? '')
        expect(href.origin).toBe('https://wa.me')
        expect(href.searchParams.get('text')).toMatch(new RegExp(`^\\S.{20,} ${home}\\?shareRef=${ref}$`))
      }
      const post = new URL((await way('facebook-post').getAttribute('href')) ?? '')
      expect(post.origin).toBe('https://www.facebook.com')
      expect(post.searchParams.get('u')).toBe(`${home}?shareRef=facebook-post`)
      expect(post.searchParams.get('quote')).toMatch(/^\S.{20,}$/)
      await expect(open.locator('[data-action="buy"]')).toHaveAttribute('href', `/${language}`)
      await expect(open.locator('[data-place="newsletter"]')).toBeVisible()
      await expectAccessible(page, 'the panel')
    })
  })
}

test('by keyboard: opens, keeps the focus inside, closes on Escape and gives the focus back', async ({
  page,
}) => {
  await page.goto(senderPath('es', 'ngo-list'))
  await tabTo(page, '.page-foot [data-panel="share"]')
  await page.keyboard.press('Enter')
  await expect(panel(page)).toHaveAttribute('open', '')
  for (let stop = 0; stop < 20; stop++) {
    await page.keyboard.press('Tab')
    const where = await page.evaluate(() => {
      const { activeElement, body } = document
      return activeElement === body || Boolean(activeElement?.closest('dialog.panel'))
    })
    expect(where, `stop ${stop}`).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(control(page, 'share')).toBeFocused()
})

test('Back closes it and leaves the screen, as it was; the next Back leaves the screen', async ({ page }) => {
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await action(page, 'continue').click()
  await atScreen(page, 'packages-donation')
  await page.locator('[data-package="their water"] label').click()
  for (const name of ['share', 'who-we-are']) {
    await openPanel(page, name)
    await page.goBack()
    await expect(panel(page)).toHaveCount(0)
    await expect(control(page, name)).toBeFocused()
    await expect(page.locator('input[value="their water"]')).toBeChecked()
  }
  for (const name of ['share', 'who-we-are']) {
    await openPanel(page, name)
    await page.keyboard.press('Escape')
    await expect(panel(page)).toHaveCount(0)
  }
  await page.goBack()
  await atScreen(page, 'how-it-works-donation')
  await page.goForward()
  await atScreen(page, 'packages-donation')
  await expect(page.locator('input[value="their water"]')).toBeChecked()
})

for (const when of ['while the step back is under way', 'before it has begun'] as const)
  test(`one that is opened when another was closed, ${when}, stays open and has one step back`, async ({
    page,
  }) => {
    await page.goto(senderPath('es', 'how-it-works-donation'))
    await page.goto(senderPath('es', 'ngo-list'))
    await openPanel(page, 'share')
    await page.evaluate(async waits => {
      const left = document.querySelector<HTMLDialogElement>('dialog.panel')
      const told = new Promise(resolve => left?.addEventListener('close', resolve, { once: true }))
      left?.close()
      if (waits) await told
      document.querySelector<HTMLElement>('.page-foot [data-panel="share"]')?.click()
      if (waits) await new Promise(resolve => addEventListener('popstate', resolve, { once: true }))
    }, when === 'while the step back is under way')
    await expect(panel(page).and(page.locator('[open]'))).toHaveCount(1)
    await expect.poll(() => page.evaluate(() => history.state)).toEqual({ panel: true })
    await page.goBack()
    await expect(panel(page)).toHaveCount(0)
    await atScreen(page, 'ngo-list')
    await page.goBack()
    await atScreen(page, 'how-it-works-donation')
  })

test('a link followed from it takes its place: Back leads to the screen, once', async ({ page }) => {
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await page.goto(senderPath('es', 'ngo-list'))
  const open = await openPanel(page, 'who-we-are')
  await open.locator('[data-action="donate-us"]').click()
  await atScreen(page, 'donate-us')
  await page.goBack()
  await atScreen(page, 'ngo-list')
  await page.goBack()
  await atScreen(page, 'how-it-works-donation')
})

test('a reload or Forward leaves no step that leads nowhere', async ({ page }) => {
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await page.goto(senderPath('es', 'ngo-list'))
  await openPanel(page, 'share')
  await page.reload()
  await expect(panel(page)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => history.state)).toBeNull()
  await openPanel(page, 'share')
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await page.evaluate(() => history.forward())
  await expect.poll(() => page.evaluate(() => history.state)).toBeNull()
  await expect(panel(page)).toHaveCount(0)
  await page.goBack()
  await atScreen(page, 'how-it-works-donation')
})

test('a page of text opens no panel of itself', async ({ page }) => {
  for (const [here, other] of [
    ['share', 'who-we-are'],
    ['who-we-are', 'share'],
  ] as const) {
    await page.goto(`/es/${here}`)
    await expect(page.locator('.page-foot [aria-current="page"]')).toHaveText(said('es', `panel-${here}`))
    await expect(control(page, here)).toHaveCount(0)
    await openPanel(page, other)
  }
})

test('closes by its button and by a tap beside it, and opens again', async ({ page }) => {
  await page.goto(senderPath('es', 'ngo-list'))
  await (await openPanel(page, 'who-we-are')).locator('[data-action="close"]').click()
  await expect(panel(page)).toHaveCount(0)
  await expect(control(page, 'who-we-are')).toBeFocused()
  await openPanel(page, 'who-we-are')
  await panel(page)
    .locator('.panel-body')
    .click({ position: { x: 5, y: 5 } })
  await expect(panel(page)).toHaveAttribute('open', '')
  await page.mouse.click(195, 40)
  await expect(panel(page)).toHaveCount(0)
})

test('is a drawer of 0.8 on the phone, at most 500 px wide, and stands 400 px wide at the side', async ({
  page,
}) => {
  await page.goto('/es/cookies-policy')
  const open = await openPanel(page, 'who-we-are')
  const boxAt = async (size: { width: number; height: number }) => {
    await page.setViewportSize(size)
    return open.boundingBox()
  }
  expect(await boxAt(PHONE)).toEqual({ x: 0, y: 168, width: 390, height: 672 })
  expect(await boxAt({ width: 600, height: 800 })).toEqual({ x: 50, y: 160, width: 500, height: 640 })
  expect(await boxAt(WIDE)).toEqual({ x: 880, y: 0, width: 400, height: 800 })
})

for (const [where, size, direction, extent] of [
  ['down', PHONE, 'y', PHONE.height * 0.8],
  ['sideways', WIDE, 'x', 400],
] as const) {
  test(`is dragged away ${where}: from a quarter of its size, or thrown`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.goto('/es/cookies-policy')
    const by = (pixels: number) => ({ [direction]: pixels })
    const open = await openPanel(page, 'share')
    const before = await open.boundingBox()

    await drag(page, by(extent * 0.25 - 2), 4_000)
    await expect(open).toHaveAttribute('open', '')
    await drag(page, by(-200), 100)
    await expect(open).toHaveAttribute('open', '')
    expect(await open.boundingBox()).toEqual(before)

    await drag(page, by(extent * 0.25 + 2), 4_000)
    await expect(panel(page)).toHaveCount(0)

    await openPanel(page, 'share')
    await drag(page, by(40), 110)
    await expect(panel(page)).toHaveAttribute('open', '')
    await drag(page, by(40), 95)
    await expect(panel(page)).toHaveCount(0)
  })
}

test('a finger on the close button drags nothing', async ({ page }) => {
  await page.goto('/es/cookies-policy')
  const open = await openPanel(page, 'share')
  await open.locator('[data-action="close"]').hover()
  await page.mouse.down()
  await page.mouse.move(100, 800)
  await page.mouse.up()
  await expect(open).toHaveAttribute('open', '')
})

test('slides where motion is welcome, and is simply there with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/es/cookies-policy')
  await openPanel(page, 'share')
  const moves = () => panel(page).evaluate(dialog => getComputedStyle(dialog).transitionDuration)
  expect(await moves()).toContain('0.3s')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openPanel(page, 'share')
  expect(await moves()).toBe('0s')
})

test('copies the link with its mark, and says so', async ({ page, context, site }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/es/cookies-policy')
  const open = await openPanel(page, 'share')
  await open.locator('[data-action="copy-link"]').click()
  await expect(open.getByRole('status')).toHaveText(said('es', 'share-copied'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/es?shareRef=copy`)
})

test('offers the device’s share sheet only where there is one', async ({ page, visitor, site }) => {
  const withSheet = await visitor({ locale: LOCALES.es })
  await withSheet.addInitScript(() => {
    Object.assign(window, { shared: [] })
    navigator.share = async data => void (window as unknown as { shared: unknown[] }).shared.push(data)
  })
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  for (const [visit, there] of [
    [page, false],
    [withSheet, true],
  ] as const) {
    await visit.goto(`${site.url}/es/cookies-policy`)
    const open = await openPanel(visit, 'share')
    await expect(open.locator('[data-action="share-native"]')).toBeVisible({ visible: there })
  }
  await action(withSheet, 'share-native').click()
  expect(await withSheet.evaluate(() => (window as unknown as { shared: unknown[] }).shared)).toEqual([
    { text: expect.stringMatching(/\S/), url: `${site.url}/es?shareRef=native` },
  ])
})

test('follows the link where the text cannot be fetched', async ({ page, watch }) => {
  watch.expectFault(/Failed to load resource|ERR_FAILED/)
  await page.goto('/es/cookies-policy')
  await page.route('**/es/who-we-are', route =>
    route.request().isNavigationRequest() ? route.continue() : route.abort(),
  )
  await control(page, 'who-we-are').click()
  await atScreen(page, 'who-we-are')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the controls are links to the same texts', async ({ page }) => {
    await page.goto(senderPath('es', 'ngo-list'))
    await control(page, 'who-we-are').click()
    await atScreen(page, 'who-we-are')
    await control(page, 'share').click()
    await atScreen(page, 'share')
    await expect(page.locator('[data-share-ref="whatsapp-message"]')).toBeVisible()
    await expect(action(page, 'copy-link')).toBeHidden()
  })
})
