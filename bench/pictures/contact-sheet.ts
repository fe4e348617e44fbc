/**
 * `npm run screens`: photographs every screen of the product in three sizes and two themes, to be looked at before a
 * screen is called done. Each size is laid out on one contact sheet, and `screens.html` shows every picture at its full
 * size, with a search (`test-results/screens/`). Languages and themes may follow, and `all` for
 * what is not named: `npm run screens -- fr christmas`, `npm run screens -- fr all`.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { THEMES, type ThemeId } from '../../src/domain/themes.ts'
import { buildWhenNeeded } from '../../src/server/app/build.ts'
import { TEST_CARD_SECRET } from '../../tests/builders/server.ts'
import { CHROMIUM_ARGS, ensureChromium } from '../../tests/support/chromium.ts'
import {
  buyManyThroughApi,
  buyThroughApi,
  inviteThroughApi,
  invoiceThroughApi,
  newAddress,
  redeemThroughApi,
} from '../../tests/support/e2e/api.ts'
import {
  givenScreen,
  invitationScreens,
  invoiceScreens,
  mailedScreens,
  manyScreens,
  newsletterScreens,
  panelScreens,
  positionScreen,
  receiverScreens,
  type Screen,
  senderScreens,
  successScreen,
  unwantedScreen,
  usedScreen,
  wellKnownVisitor,
} from '../../tests/support/e2e/every-screen.ts'
import { type Site, startSite } from '../../tests/support/e2e/server.ts'
import { LANGUAGES, type Language, LOCALES } from '../../tests/support/e2e/words.ts'
import { facesAreThere } from './fonts.ts'
import { galleryPage, type Picture } from './gallery.ts'
import { drawSheet, type Photo } from './sheet.ts'

const FOLDER = 'test-results/screens'
const SIZES = [
  { width: 390, height: 844, columns: 10, scale: 0.5 },
  { width: 320, height: 640, columns: 12, scale: 0.5 },
  { width: 1280, height: 800, columns: 6, scale: 0.25 },
] as const

const wanted = process.argv.slice(2)
const languages = asked(LANGUAGES, ['es'])
const themes = asked(Object.keys(THEMES) as ThemeId[], ['palestine', 'ukraine'])

/** Those of `known` that the command names; where it names none, all of them after `all`, else the usual ones. */
function asked<T extends string>(known: readonly T[], usual: readonly T[]): readonly T[] {
  const named = known.filter(each => wanted.includes(each))
  if (named.length > 0) return named
  return wanted.includes('all') ? known : usual
}

/** Every screen there is, for a visitor and a card of this theme. */
async function screensOf(site: Site, theme: string, language: Language): Promise<Screen[]> {
  const order = { theme, language, sender: 'Íñigo' }
  const email = newAddress()
  const card = await buyThroughApi(site, { ...order, email })
  const used = await buyThroughApi(site, order)
  await redeemThroughApi(site, used.privateKey, { 'ngo-msf': 20, 'ngo-irc': 10 })
  return [
    ...senderScreens(language, theme),
    ...panelScreens(language),
    successScreen(language, card.sessionId),
    ...receiverScreens(card),
    usedScreen(used),
    givenScreen(await buyThroughApi(site, order)),
    ...invitationScreens(language, await inviteThroughApi(site, order)),
    ...mailedScreens(language, email),
    ...manyScreens(language, await buyManyThroughApi(site, 'Ana,Con cariño\nLuis', { language, theme })),
    ...invoiceScreens(language, await invoiceThroughApi(site, 'Ana\nLuis', { language, theme })),
    unwantedScreen(language, TEST_CARD_SECRET),
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
  language: Language,
): Promise<(Photo & Picture)[]> {
  const context = await browser.newContext({
    baseURL: site.url,
    viewport: size,
    locale: LOCALES[language],
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await wellKnownVisitor(page)
  await page.addInitScript(chosen => localStorage.setItem('gift:theme', chosen), theme)
  const folder = `${size.width}x${size.height}`
  mkdirSync(join(FOLDER, folder), { recursive: true })
  const photos: (Photo & Picture)[] = []
  for (const { name, open } of await screensOf(site, theme, language)) {
    try {
      await open(page)
      // The entry stays without its script alone, which would fetch the face.
      if (name !== 'entry') await facesAreThere(page)
    } catch (error) {
      console.error(`${name} (${theme}, ${size.width}): ${(error as Error).message.split('\n')[0]}`)
      process.exitCode = 1
    }
    const file = `${folder}/${[name, theme, language].join('-').replace(/[^\w-]+/g, '_')}.png`
    // What lies where the last press was would be shown as beneath a mouse.
    await page.mouse.move(0, 0)
    const png = await page.screenshot()
    writeFileSync(join(FOLDER, file), png)
    const { width, height } = size
    photos.push({ screen: name, theme, language, width, height, file, label: `${name} · ${theme}`, png })
  }
  await context.close()
  return photos
}

await buildWhenNeeded(process.cwd())
const site = await startSite({ CARD_KEY_SECRET: TEST_CARD_SECRET })
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS })
try {
  rmSync(FOLDER, { recursive: true, force: true })
  const pictures: Picture[] = []
  for (const size of SIZES) {
    const photos: (Photo & Picture)[] = []
    for (const language of languages)
      for (const theme of themes) photos.push(...(await photograph(browser, site, size, theme, language)))
    pictures.push(...photos)
    const file = join(FOLDER, `${size.width}x${size.height}.png`)
    await drawSheet(photos, size, file)
    console.log(`${file}: ${photos.length} screens`)
  }
  const gallery = join(FOLDER, 'screens.html')
  writeFileSync(gallery, galleryPage(pictures))
  console.log(`${gallery}: ${pictures.length} pictures`)
} finally {
  await browser.close()
  await site.stop()
}
