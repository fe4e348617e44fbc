import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { consentOf, writeConsent } from '#domain/consent/consent.ts'
import { buildWhenNeeded } from '../../src/server/app/build.ts'
import { CHROMIUM_ARGS, ensureChromium } from '../../tests/support/chromium.ts'
import { buyThroughApi } from '../../tests/support/e2e/api.ts'
import { givenScreen, receiverScreens, senderScreens } from '../../tests/support/e2e/every-screen.ts'
import { type Site, startSite } from '../../tests/support/e2e/server.ts'
import { LOCALES } from '../../tests/support/e2e/words.ts'
import { facesAreThere } from './fonts.ts'

/** `node bench/pictures/product-picture.ts`: the README's picture, six screens of the product as it is. */
const FILE = 'docs/pictures/product.png'
const PHONE = { width: 390, height: 844 }
/** In the picture, pixels. */
const SHOWN = { width: 260, height: 563, radius: 10, gap: 14, margin: 16 }
const LANGUAGE = 'en'
const THEME = 'ukraine'

type Open = (page: Page) => Promise<void>

/** Choosing a card, adding support, the links, the story, splitting the credit, thanks. */
async function screensOf(site: Site): Promise<readonly Open[]> {
  const order = {
    theme: THEME,
    language: LANGUAGE,
    sender: 'Íñigo',
    currency: 'GBP',
    email: 'buyer@example.org',
  } as const
  const card = await buyThroughApi(site, order)
  const toGive = await buyThroughApi(site, order)
  const found = (name: string): Open => {
    const screen = [...senderScreens(LANGUAGE), ...receiverScreens(card)].find(each => each.name === name)
    if (!screen) throw new Error(`There is no screen ${name}.`)
    return screen.open
  }
  return [
    found('packages-donation'),
    found('donation-packages-support-amount'),
    async page => {
      await page.goto(`/${LANGUAGE}/intro/no-refresh/donation-success?session_id=${card.sessionId}`)
      await page.locator('.checkout[data-state=ready]').waitFor()
    },
    found('introduction-1'),
    found('select-ngo, list'),
    givenScreen(toGive).open,
  ]
}

async function photograph(browser: Browser, site: Site, open: Open): Promise<Buffer> {
  const page = await browser.newPage({
    baseURL: site.url,
    viewport: PHONE,
    locale: LOCALES[LANGUAGE],
    reducedMotion: 'reduce',
  })
  await page.addInitScript(
    ([theme, consent]) => {
      sessionStorage.setItem('gift:opened', '1')
      localStorage.setItem('gift:theme', theme)
      localStorage.setItem('gift:currency', 'GBP')
      localStorage.setItem('gift:package', 'their food')
      localStorage.setItem('gift:sender', '{"kind":"own","name":"Íñigo"}')
      localStorage.setItem('gift:support', '30')
      localStorage.setItem('gift:consent', consent)
    },
    [THEME, writeConsent(consentOf('reject', 0))] as const,
  )
  await open(page)
  await facesAreThere(page)
  // What lies where the last press was would be shown as beneath a mouse.
  await page.mouse.move(0, 0)
  // A list scrolls to what was written; the picture shows its beginning.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    scrollTo(0, 0)
  })
  const { width, height, radius } = SHOWN
  const corners = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${radius}"/></svg>`,
  )
  const small = await sharp(await page.screenshot())
    .resize({ width, height })
    .composite([{ input: corners, blend: 'dest-in' }])
    .png()
    .toBuffer()
  await page.close()
  return small
}

await buildWhenNeeded(process.cwd())
const site = await startSite()
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS })
try {
  const photos: Buffer[] = []
  for (const open of await screensOf(site)) photos.push(await photograph(browser, site, open))
  const { width, height, gap, margin } = SHOWN
  await sharp({
    create: {
      width: 2 * margin + photos.length * width + (photos.length - 1) * gap,
      height: 2 * margin + height,
      channels: 3,
      background: '#dcdcdc',
    },
  })
    .composite(photos.map((input, n) => ({ input, left: margin + n * (width + gap), top: margin })))
    .png()
    .toFile(FILE)
} finally {
  await browser.close()
  await site.stop()
}
