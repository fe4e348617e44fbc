/**
 * `npm run screens`: photographs every screen of the product in three sizes and two themes, and lays each size out on
 * one contact sheet (`test-results/screens/`), to be looked at before a screen is called done. A language may follow:
 * `npm run screens -- fr`.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { buildWhenNeeded } from '../../src/server/app/build.ts'
import { CHROMIUM_ARGS, ensureChromium } from '../../tests/support/chromium.ts'
import { buyThroughApi, inviteThroughApi, redeemThroughApi } from '../../tests/support/e2e/api.ts'
import {
  invitationScreens,
  newsletterScreens,
  panelScreens,
  positionScreen,
  receiverScreens,
  type Screen,
  senderScreens,
  successScreen,
  usedScreen,
  wellKnownVisitor,
} from '../../tests/support/e2e/every-screen.ts'
import { type Site, startSite } from '../../tests/support/e2e/server.ts'
import { LANGUAGES, type Language, LOCALES } from '../../tests/support/e2e/words.ts'
import { facesAreThere } from './fonts.ts'
import { drawSheet, type Photo } from './sheet.ts'

const FOLDER = 'test-results/screens'
const THEMES = ['palestine', 'ukraine'] as const
const SIZES = [
  { width: 390, height: 844, columns: 10, scale: 0.5 },
  { width: 320, height: 640, columns: 12, scale: 0.5 },
  { width: 1280, height: 800, columns: 6, scale: 0.25 },
] as const

const wanted = process.argv[2]
const language: Language = LANGUAGES.find(each => each === wanted) ?? 'es'

/** Every screen there is, for a visitor and a card of this theme. */
async function screensOf(site: Site, theme: string): Promise<Screen[]> {
  const order = { theme, language, sender: 'Íñigo' }
  const card = await buyThroughApi(site, order)
  const used = await buyThroughApi(site, order)
  await redeemThroughApi(site, used.privateKey, { 'ngo-msf': 20, 'ngo-irc': 10 })
  return [
    ...senderScreens(language),
    ...panelScreens(language),
    successScreen(language, card.sessionId),
    ...receiverScreens(card),
    usedScreen(used),
    ...invitationScreens(language, await inviteThroughApi(site, order)),
    ...newsletterScreens(language),
    // Last, since it answers the consent question.
    positionScreen(language),
  ]
}

async function photograph(
  browser: Browser,
  site: Site,
  size: { width: number; height: number },
  theme: string,
  screens: readonly Screen[],
): Promise<Photo[]> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: size,
    locale: LOCALES[language],
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await wellKnownVisitor(page)
  await page.addInitScript(chosen => localStorage.setItem('gift:theme', chosen), theme)
  const photos: Photo[] = []
  for (const { name, open } of screens) {
    try {
      await open(page)
      await facesAreThere(page)
    } catch (error) {
      console.error(`${name} (${theme}, ${size.width}): ${(error as Error).message.split('\n')[0]}`)
      process.exitCode = 1
    }
    photos.push({ label: `${name} · ${theme}`, png: await page.screenshot() })
  }
  await context.close()
  return photos
}

await buildWhenNeeded(process.cwd())
const site = await startSite()
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS })
try {
  mkdirSync(FOLDER, { recursive: true })
  for (const size of SIZES) {
    const photos: Photo[] = []
    for (const theme of THEMES)
      photos.push(...(await photograph(browser, site, size, theme, await screensOf(site, theme))))
    const file = join(FOLDER, `${size.width}x${size.height}.png`)
    await drawSheet(photos, size, file)
    console.log(`${file}: ${photos.length} screens`)
  }
} finally {
  await browser.close()
  await site.stop()
}
