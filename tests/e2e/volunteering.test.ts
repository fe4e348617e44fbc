import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { inviteThroughApi, newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { payWith, pressPay } from '#tests/support/e2e/buyer.ts'
import { openLetter } from '#tests/support/e2e/inbox.ts'
import { action, atScreen, downloaded, screenIs, tryAction } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, type Language } from '#tests/support/e2e/words.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

/** What is chosen as the mission in each language, and how it reads at its end. */
const MISSIONS: Readonly<
  Record<Language, { readonly choice: string; readonly text?: string; readonly reads: string }>
> = {
  es: { choice: 'mission-medical', reads: 'Echar una mano a Médicos Sin Fronteras' },
  en: {
    choice: 'other',
    text: 'A Saturday at the  neighbourhood kitchen',
    reads: 'A Saturday at the neighbourhood kitchen',
  },
  fr: { choice: 'decide-later', reads: 'À vous de choisir la mission, quand vous voudrez.' },
}
const CAPTIONS: Readonly<Record<Language, string>> = {
  es: 'Rama de olivo',
  en: 'Olive branch',
  fr: 'Rameau d’olivier',
}
/** `SHOTS` names a folder: every screen is photographed into it. */
const shot = async (page: Page, name: string): Promise<void> => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

/** Over the memorial, from the third photo and its two sentences, to the mission. */
async function walkMemorial(page: Page): Promise<void> {
  await atScreen(page, 'memorial')
  const shown = page.locator('[data-photo]:visible')
  await expect(shown).toHaveCount(1)
  await expect(page.locator('[data-on]')).toBeHidden()
  await shot(page, 'memorial')
  await action(page, 'next').click()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[data-on]')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(page.locator('[data-place]')).toContainText('2')
  await expectAccessible(page, 'memorial')
  await action(page, 'continue').click()
  await shot(page, 'memorial-disclaimer')
  await action(page, 'understand').click()
  await action(page, 'go-on').click()
}

async function chooseMission(page: Page, language: Language): Promise<void> {
  const { choice, text } = MISSIONS[language]
  await atScreen(page, 'mission')
  await tryAction(page, 'continue')
  await expect(page.locator('#mission-missing')).not.toBeEmpty()
  await page.locator(`[data-mission-choice="${choice}"] label`).click()
  if (text !== undefined) {
    await tryAction(page, 'continue')
    await expect(page.locator('#mission-error')).not.toBeEmpty()
    await page.locator('#mission-text').fill(text)
  }
  await shot(page, `mission-${language}`)
  await expectAccessible(page, 'mission')
  await action(page, 'continue').click()
}

for (const language of LANGUAGES) {
  test(`an invitation is bought, opened, answered and its book downloaded (${language})`, async ({
    page,
    visitor,
    site,
  }) => {
    test.slow()
    const email = newAddress()
    // Colours are looked at as they are, not on their way.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`/${language}/intro/gift-card-design-volunteering`)
    await action(page, 'skip').click()
    await atScreen(page, 'how-it-works-volunteering')
    await shot(page, 'how-it-works')
    await expectAccessible(page, 'how-it-works-volunteering')
    await action(page, 'continue').click()
    await walkMemorial(page)
    await chooseMission(page, language)
    await atScreen(page, 'volunteering-sender-name')
    await tryAction(page, 'continue')
    await expect(page.locator('#sender-name-error')).not.toBeEmpty()
    await page.locator('#sender-name').fill('Íñigo')
    await shot(page, 'name')
    await action(page, 'continue').click()
    await atScreen(page, 'packages-volunteering')
    await shot(page, 'package')
    await expectAccessible(page, 'packages-volunteering')
    await action(page, 'continue').click()
    await screenIs(page, 'volunteering-packages-support-amount')
    await page.locator('#support').fill('20')
    await expect(page.locator('output')).toContainText('800')
    await shot(page, 'support')
    await action(page, 'continue').click()
    await screenIs(page, 'volunteering-prepayment')
    await expect(page.locator('[data-price="total"] dd')).toContainText('900')
    await expect(action(page, 'pay')).toContainText('900')
    await shot(page, 'prepayment')
    await expectAccessible(page, 'volunteering-prepayment')
    await pressPay(page)
    await payWith(page, '4242424242424242', email)

    await atScreen(page, 'volunteering-success')
    await action(page, 'reveal').click()
    const link = (await page.locator('[data-secret]').textContent()) ?? ''
    expect(link).toMatch(new RegExp(`^${site.url}/gift-card-volunteering/[a-z2-7]{32}/introduction$`))
    expect(new URL(page.url()).search).toBe('')
    // It is made behind everything else, which on a busy machine takes its time.
    await expect(page.locator('[data-book]')).toHaveAttribute('data-book', 'ready', { timeout: 90_000 })
    await shot(page, 'success')
    await expectAccessible(page, 'volunteering-success')
    const download = await downloaded(page, 'photo-book')
    const book = readPdf(await readFile(await download.path()))
    expect([book.pages, book.isTagged, book.language]).toEqual([43, true, language])
    expect(book.texts[0]).toContain('Íñigo')
    expect(book.texts[4]).toContain(CAPTIONS[language])
    expect(book.texts[41]).toContain('Keep the Chain · CC0 1.0')

    const recipient = await visitor({ locale: language, reducedMotion: 'reduce' })
    await recipient.goto(link)
    await atScreen(recipient, 'introduction')
    await expect(recipient.locator('h1')).toContainText('Íñigo')
    await shot(recipient, 'r-1')
    await expectAccessible(recipient, 'introduction')
    for (let n = 2; n <= 10; n++) {
      await action(recipient, 'continue').click()
      await atScreen(recipient, `introduction-${n}`)
      if (n === 8) {
        await expect(recipient.locator('.strip li')).toHaveCount(8)
        await shot(recipient, 'r-8')
        await expectAccessible(recipient, 'introduction-8')
      }
    }
    await expect(recipient.locator('h1')).toContainText(MISSIONS[language].reads)
    await tryAction(recipient, 'answer')
    await expect(recipient.locator('#answer-missing')).not.toBeEmpty()
    await recipient.locator('[data-choice="accept"] label').click()
    await recipient.locator('[name="tell"]').check()
    await action(recipient, 'answer').click()
    await expect(recipient.locator('[data-accepted]')).toBeVisible()
    await shot(recipient, `r-10-${language}`)
    await expectAccessible(recipient, 'introduction-10')
    await recipient.locator('#day').fill('2030-05-04')
    const calendar = await downloaded(recipient, 'calendar')
    const ics = await readFile(await calendar.path(), 'utf8')
    expect(ics).toContain('DTSTART;VALUE=DATE:20300504\r\n')
    expect(ics).toContain('Íñigo')
    // Lines are folded.
    expect(ics.replaceAll('\r\n ', '')).toContain(`${site.url}/g/`)

    await recipient.locator('[data-choice="later"] label').click()
    await action(recipient, 'answer').click()
    await expect(recipient.locator('[data-accepted]')).toBeHidden()
    await recipient.reload()
    await expect(recipient.locator('[value="later"]')).toBeChecked()

    await openLetter(page, email, 2)
  })
}

test('the notice before the payment names no price before it knows the choices', async ({ page }) => {
  const delivered = await page.request.get('/es/intro/volunteering-prepayment')
  expect(await delivered.text()).not.toMatch(/\d\s€/)
})

test('a deep link starts at the first missing step, and nobody without a key gets anything', async ({
  page,
  watch,
}) => {
  watch.expectFault(/status of 404/)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/es/intro/volunteering-prepayment')
  await atScreen(page, 'mission')
  await page.goto(`/gift-card-volunteering/${'a'.repeat(32)}/introduction-8`)
  await atScreen(page, 'doesnt-exist')
  await expectAccessible(page, 'doesnt-exist')
  const book = await page.request.get(`/gift-card-volunteering/${'a'.repeat(32)}/photo-book.pdf`)
  expect(book.status()).toBe(404)
  const read = await page.request.get(`/api/ajuda/giftcard-volunteering/${'a'.repeat(32)}`)
  expect(read.status()).toBe(404)
})

test('a swipe turns the photos of the memorial, one that goes down does not, and the next is there before', async ({
  visitor,
}) => {
  const page = await visitor({ hasTouch: true, viewport: { width: 390, height: 844 } })
  const finger = await page.context().newCDPSession(page)
  const swipe = async (byX: number, byY: number): Promise<void> => {
    const box = await page.locator('[data-photo]:visible img').boundingBox()
    const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2]
    const at = (part: number) => [{ x: x + byX * part, y: y + byY * part }]
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) })
    for (const part of [0.25, 0.5, 0.75, 1])
      await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(part) })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  const place = page.locator('[data-place]')
  const isThere = (index: number) =>
    page
      .locator('[data-photo] img')
      .nth(index)
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
  await page.goto('/en/intro/memorial')
  await expect(place).toHaveText('Photo 1 of 8')
  await expect.poll(() => isThere(1)).toBe(true)
  expect(await isThere(2)).toBe(false)
  await swipe(-120, 10)
  await expect(place).toHaveText('Photo 2 of 8')
  await expect.poll(() => isThere(2)).toBe(true)
  await swipe(-20, 0)
  await swipe(-60, 150)
  await expect(place).toHaveText('Photo 2 of 8')
  await swipe(120, -10)
  await expect(place).toHaveText('Photo 1 of 8')
  await swipe(120, 0)
  await expect(place).toHaveText('Photo 1 of 8')
})

test('the photographs of the first view of a memorial are fetched at once, and no others', async ({
  visitor,
  site,
}) => {
  const { key } = await inviteThroughApi(site, { language: 'en' })
  // So many of them does a window show without scrolling.
  for (const [width, inView] of [
    [390, 1],
    [1_280, 2],
  ] as const) {
    const page = await visitor({ viewport: { width, height: 844 } })
    await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
    const held = Promise.withResolvers<void>()
    const asked: string[] = []
    await page.route('**/images/**', async route => {
      asked.push(route.request().url())
      await held.promise
      await route.continue()
    })
    await page.goto(`/gift-card-volunteering/${key}/introduction-8`, { waitUntil: 'commit' })
    const photos = page.locator('.strip img')
    await expect(photos.first()).toHaveAttribute('fetchpriority', 'high')
    await expect.poll(() => asked.length).toBe(inView)
    // The next would be asked for within a frame.
    for (let frame = 0; frame < 3; frame++) await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(new Set(asked).size).toBe(inView)
    held.resolve()
    await page.waitForLoadState()
    await expect
      .poll(() => photos.first().evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  }
})

test('a photo that does not come is told in words', async ({ page, watch }) => {
  watch.expectFault(/Failed to load resource/)
  await page.route('**/images/**', route => route.abort())
  await page.goto('/en/intro/memorial')
  const photo = page.locator('[data-photo]:visible')
  await expect(photo.locator('.photo-failed')).toBeVisible()
  await action(page, 'next').click()
  await expect(photo.locator('.photo-failed')).toBeVisible()
  await expect(photo.locator('.photo-caption')).toBeVisible()
})

test('the memorial reads without scripts, all eight photos below one another', async ({ visitor }) => {
  const page = await visitor({ javaScriptEnabled: false })
  await page.goto('/fr/intro/memorial')
  await expect(page.locator('figure.photo')).toHaveCount(8)
  await expect(page.locator('figure.photo').nth(7)).toBeVisible()
  await expect(page.locator('noscript a, a.button')).not.toHaveCount(0)
})
