/** The page after a payment shows the gift as a thing: sent with its code, copied, and found where neither works. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { encode } from 'uqr'
import { giftLinkPath } from '#paths'
import { buyThroughApi, giftPath, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { action } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, type Language, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

interface Sent {
  readonly text: string
  readonly url: string
  /** As data URLs. */
  readonly files: readonly string[]
}

/** A share sheet that keeps what it is given; it takes pictures, or does not. */
const shareSheet = (page: Page, takesPictures: boolean) =>
  page.addInitScript(takes => {
    const sent: unknown[] = []
    const read = (file: File) =>
      new Promise(done => {
        const reader = new FileReader()
        reader.onload = () => done(reader.result)
        reader.readAsDataURL(file)
      })
    Object.assign(globalThis, { sent })
    Object.defineProperty(navigator, 'canShare', { value: () => takes })
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: async ({ files = [], ...words }: ShareData) =>
        void sent.push({ ...words, files: await Promise.all(files.map(read)) }),
    })
  }, takesPictures)

const sentBy = (page: Page): Promise<Sent[]> =>
  page.evaluate(() => (globalThis as unknown as { sent: Sent[] }).sent)

/** The theme that the tab wears. */
const themeWorn = (page: Page): Promise<string> =>
  page.evaluate(() => document.documentElement.dataset.theme ?? 'palestine')

/** Buys a gift of each kind and opens the page after its payment. @returns the link that is shown, and the one that is sent */
const KINDS = [
  {
    kind: 'gift card',
    words: 'donation-success',
    open: async (page: Page, site: Site, language: Language = 'es') => {
      const { sessionId, privateKey } = await buyThroughApi(site, {
        sender: 'Íñigo',
        theme: 'christmas',
        language,
      })
      await page.goto(`${senderPath(language, 'no-refresh/donation-success')}?session_id=${sessionId}`)
      return {
        shown: site.url + giftPath(privateKey),
        sent: site.url + giftLinkPath({ themeId: await themeWorn(page), language }, privateKey),
      }
    },
  },
  {
    kind: 'invitation',
    words: 'volunteering-success',
    open: async (page: Page, site: Site, language: Language = 'es') => {
      const { sessionId, key } = await inviteThroughApi(site, { sender: 'Íñigo', language })
      await page.goto(`${senderPath(language, 'no-refresh/volunteering-success')}?session_id=${sessionId}`)
      const unfoldsAs = { themeId: await themeWorn(page), language, kind: 'volunteering' } as const
      return {
        shown: `${site.url}/gift-card-volunteering/${key}/introduction`,
        sent: site.url + giftLinkPath(unfoldsAs, key),
      }
    },
  },
] as const

/** What of a row's buttons stands beside the column, or lies over a neighbour. */
const outOfPlace = (page: Page): Promise<string[]> =>
  page.locator('.in-hand-ways .button').evaluateAll(buttons => {
    const column = document.querySelector('.in-hand')!.getBoundingClientRect()
    const boxes = buttons.map(button => ({ text: button.textContent, box: button.getBoundingClientRect() }))
    return boxes
      .filter(
        ({ box }, index) =>
          box.right > column.right + 1 ||
          boxes.some(
            (other, at) => at < index && other.box.right > box.left + 1 && other.box.bottom > box.top + 1,
          ),
      )
      .map(({ text }) => text)
  })

for (const { kind, words, open } of KINDS) {
  for (const language of LANGUAGES)
    test(`the quiet ways of the ${kind} stand beside each other in ${language}, on every width`, async ({
      page,
      site,
    }) => {
      await open(page, site, language)
      await expect(page.locator('.in-hand-ways .button')).toHaveCount(3)
      for (const width of [320, 360, 390, 430, 768, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await outOfPlace(page), `${width} px`).toEqual([])
      }
    })

  test(`one button sends the ${kind}: its words, its link, and its code as a picture`, async ({
    page,
    site,
  }) => {
    await shareSheet(page, true)
    const { sent: url } = await open(page, site)
    await expect(page.locator('.in-hand .button:not(.button-quiet)')).toHaveCount(1)
    await expect(action(page, 'share')).toHaveText(said('es', `${words}-share`))
    await expect(page.locator('figure.envelope svg path').first()).toBeVisible()
    // Drawn a moment after the page: a press before that sends the words and the link.
    await expect
      .poll(async () => {
        await action(page, 'share').click()
        return (await sentBy(page)).at(-1)?.files.length
      })
      .toBe(1)
    const { files, ...told } = (await sentBy(page)).at(-1)!
    expect(told).toEqual({ text: said('es', `${words}-share-text`), url })
    const png = Buffer.from(files[0]!.split(',')[1]!, 'base64')
    const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true })
    const code = encode(url, { ecc: 'M', boostEcc: false, border: 4 })
    const pixels = info.width / code.size
    expect(Number.isInteger(pixels)).toBe(true)
    const isDark = (x: number, y: number): boolean =>
      data[((y + 0.5) * pixels * info.width + (x + 0.5) * pixels) * info.channels]! < 128
    expect(code.data.map((row, y) => row.map((_, x) => isDark(x, y)))).toEqual(code.data)
  })

  test(`a second press while the sheet opens costs the ${kind} no picture`, async ({ page, site }) => {
    await shareSheet(page, true)
    await open(page, site)
    const files = async () => (await sentBy(page)).at(-1)?.files.length
    await expect.poll(() => action(page, 'share').click().then(files)).toBe(1)
    await page.evaluate(() => {
      const takes = navigator.share
      const isOpenAlready = () => Promise.reject(new DOMException('', 'InvalidStateError'))
      Object.defineProperty(navigator, 'share', { value: isOpenAlready, configurable: true })
      document.querySelector<HTMLElement>('[data-action="share"]')!.click()
      Object.defineProperty(navigator, 'share', { value: takes, configurable: true })
    })
    await action(page, 'share').click()
    await expect.poll(async () => (await sentBy(page)).length).toBeGreaterThan(1)
    expect(await files()).toBe(1)
  })

  test(`a sheet that takes no pictures gets the words and the link of the ${kind}`, async ({
    page,
    site,
  }) => {
    await shareSheet(page, false)
    const { sent: url } = await open(page, site)
    await action(page, 'share').click()
    await expect
      .poll(() => sentBy(page))
      .toEqual([{ text: said('es', `${words}-share-text`), url, files: [] }])
  })

  test(`a link of the ${kind} that cannot be copied is shown, selected and said so`, async ({
    page,
    site,
  }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: () => Promise.reject(new Error('denied')) },
      }),
    )
    const { shown: url } = await open(page, site)
    await expect(page.locator('[data-secret]')).toHaveCount(0)
    for (let n = 0; n < 2; n++) {
      await action(page, 'copy').click()
      await expect(page.locator('.copied').first()).toHaveText(said('es', 'donation-success-copy-failed'))
      await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe(url)
      await page.evaluate(() => getSelection()?.removeAllRanges())
    }
    await action(page, 'reveal').click()
    await expect(page.locator('[data-secret]')).toHaveCount(0)
  })
}
