import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { senderPath } from '#paths'
import { TEST_CARD_SECRET } from '#tests/builders/server.ts'
import { freePort } from '#tests/support/free-port.ts'
import { buyCards } from '#tests/support/product/buy.ts'
import { startProduct } from '#tests/support/product/product.ts'
import { withFreshBrowser } from '../harness/browser.ts'
import { openDatabases } from '../harness/databases.ts'
import { type OpenShop, startOpenShop } from '../harness/open-shop.ts'
import { kilobytes, type Load, load, type Visit } from '../harness/page-load.ts'
import { processorMicroseconds } from '../harness/processor.ts'
import type { Profile } from '../harness/profile.ts'
import type { Screen } from '../harness/screen-list.ts'
import { type BenchSite, NO_LINE, START_ENV, START_FLAGS } from '../harness/site.ts'
import { vitalsOf } from '../harness/vitals.ts'
import { median, spread } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const PART = 'The same gift in an open-source shop (EverShop, PostgreSQL), behind nginx'
const WARM_UP = 20
const VIEWS = 200

/** The two pages that both have: where the gift is chosen, and the last one before the payment. */
export const PAGES_OF_BOTH = [
  { word: 'packages-donation', shown: 'the gift is chosen', in: 'productPath' },
  { word: 'donation-prepayment', shown: 'the last page before the payment', in: 'checkoutPath' },
] as const

/**
 * The product and the shop side by side: pages on a slow phone, processor time of a view and of a purchase, memory and
 * start. The shop's purchase ends with an order that waits for a transfer; the product's ends with a card that was
 * paid and mailed.
 */
export async function measureOpenShop(
  site: BenchSite,
  screens: readonly Screen[],
  { paintLoads, costCards }: Pick<Profile, 'paintLoads' | 'costCards'>,
): Promise<Figure[]> {
  const shop = await startOpenShop()
  try {
    return [...(await measurePages(site, shop, screens, paintLoads)), ...(await measureWork(shop, costCards))]
  } finally {
    await shop.stop()
  }
}

async function measurePages(
  site: BenchSite,
  shop: OpenShop,
  screens: readonly Screen[],
  loads: number,
): Promise<Figure[]> {
  const cart = await shop.fillCart()
  const figures: Figure[] = []
  for (const { word, shown, in: path } of PAGES_OF_BOTH) {
    const screen = screens.find(each => each.word === word)!
    const own: Load[] = []
    const theirs: Load[] = []
    for (let round = 0; round < loads; round++) {
      own.push(await visit({ word, url: site.url + screen.path, cookies: screen.cookies ?? {} }))
      theirs.push(await visit({ url: shop.url + shop[path], cookies: { [cart.name]: cart.value } }))
    }
    const figure = (what: string, unit: string, of: (each: Load) => number): Figure =>
      against({ id: `${word} ${what}`, what: `${shown}: ${what}`, unit }, own.map(of), theirs.map(of))
    figures.push(
      figure('first paint', 'ms', ({ observed }) => observed.firstPaint ?? Number.POSITIVE_INFINITY),
      figure('largest paint', 'ms', ({ observed }) => observed.largestPaint ?? Number.POSITIVE_INFINITY),
      figure('all that is sent', 'kB', ({ transfers }) => kilobytes(transfers)),
      figure('scripts', 'kB', ({ transfers }) =>
        kilobytes(transfers.filter(({ type }) => type === 'Script')),
      ),
      figure('requests', '', ({ transfers }) => transfers.length),
    )
  }
  return figures
}

const visit = (to: Omit<Visit, 'slow'>): Promise<Load> =>
  withFreshBrowser(fresh => load(fresh, { ...to, slow: true }, async () => undefined))

async function measureWork(shop: OpenShop, purchases: number): Promise<Figure[]> {
  const databases = await openDatabases('postgres')
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-open-shop-'))
  try {
    const { databaseUrl = '' } = await databases.create('own')
    const port = await freePort()
    const settings = {
      port,
      flags: START_FLAGS,
      env: {
        ...START_ENV,
        LIMITS: NO_LINE,
        SITE_URL: `http://127.0.0.1:${port}`,
        CARD_KEY_SECRET: TEST_CARD_SECRET,
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl,
      },
    }
    // The first start makes tables and pages, as the shop's did.
    await (await startProduct(settings)).stop()
    const product = await startProduct(settings)
    try {
      const page = product.url + senderPath('es', 'packages-donation')
      const own: Side = {
        view: async () => void (await (await fetch(page)).arrayBuffer()),
        buy: async count => void (await buyCards(product, count)),
        processor: () => processorMicroseconds(product.pid),
      }
      const theirs: Side = {
        view: () => shop.view(shop.productPath),
        async buy(count) {
          for (let n = 0; n < count; n++) await shop.buy()
        },
        processor: shop.processor,
      }
      const line = (id: string, unit: string, measured: number, reference: number): Figure => ({
        id,
        part: PART,
        what: id,
        unit,
        measured,
        reference,
      })
      const [view, buy] = [await costOfView(own), await costOfBuying(own, purchases)]
      const [theirView, theirBuy] = [await costOfView(theirs), await costOfBuying(theirs, purchases)]
      return [
        line(
          'processor of the server for a view of the page where the gift is chosen',
          'µs',
          view,
          theirView,
        ),
        line('processor of the server for a purchase', 'µs', buy, theirBuy),
        line('memory of all its processes after it', 'MB', vitalsOf(product.pid).megabytes, shop.megabytes()),
        line('from its start to its first page', 'ms', product.readyAfter.wallMs, shop.readyMs),
      ]
    } finally {
      await product.stop()
    }
  } finally {
    await databases.remove()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** One of the two, as far as its work is weighed. */
interface Side {
  view(): Promise<void>
  /** One after the other. */
  buy(count: number): Promise<void>
  /** So far, µs. */
  processor(): number
}

async function costOfView({ view, processor }: Side): Promise<number> {
  for (let n = 0; n < WARM_UP; n++) await view()
  const before = processor()
  for (let n = 0; n < VIEWS; n++) await view()
  return (processor() - before) / VIEWS
}

async function costOfBuying({ buy, processor }: Side, count: number): Promise<number> {
  await buy(WARM_UP)
  const before = processor()
  await buy(count)
  return (processor() - before) / count
}

const against = (
  about: Pick<Figure, 'id' | 'what' | 'unit'>,
  own: readonly number[],
  theirs: readonly number[],
): Figure => ({ ...about, part: PART, measured: median(own), spread: spread(own), reference: median(theirs) })
