/**
 * `node bench/pictures/open-shop.ts`: photographs the two pages that `npm run bench -- open-shop` measures, the product's
 * above the shop's, for docs/figures.
 */
import type { Browser } from 'playwright'
import { startOpenShop } from '../harness/open-shop.ts'
import { openVisitor, type Visit } from '../harness/page-load.ts'
import { PAGES_OF_BOTH } from '../measure/open-shop.ts'
import { withTools } from '../parts.ts'
import { drawSheet, type Photo } from './sheet.ts'

const FILE = 'docs/figures/open-shop.png'
/** Scripts of the shop ask for more once it is loaded. */
const CALM_MS = 1_500

const shop = await startOpenShop()
try {
  const cart = await shop.fillCart()
  await withTools({ cards: 0 }, async ({ browser, site, screens }) => {
    const own: Photo[] = []
    const theirs: Photo[] = []
    for (const { word, shown, in: path } of PAGES_OF_BOTH) {
      const screen = screens.find(each => each.word === word)!
      const { cookies = {} } = screen
      own.push(await photograph(browser, shown, { cookies, url: site.url + screen.path }))
      const their = { cookies: { [cart.name]: cart.value }, url: shop.url + shop[path] }
      theirs.push(await photograph(browser, `${shown}, in the shop`, their))
    }
    await drawSheet([...own, ...theirs], { width: 390, height: 844, columns: own.length, scale: 0.8 }, FILE)
  })
} finally {
  await shop.stop()
}

async function photograph(browser: Browser, label: string, visit: Omit<Visit, 'slow'>): Promise<Photo> {
  const page = await openVisitor(browser, { ...visit, slow: false })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(visit.url, { waitUntil: 'load' })
  await page.waitForTimeout(CALM_MS)
  const png = await page.screenshot()
  await page.context().close()
  return { label, png }
}
