import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath } from '#paths'
import { call } from '#tests/support/product/call.ts'
import { contentClientOf, shownAfter } from '#tests/support/product/content.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { generateLoad } from '../harness/load-generator.ts'
import { processorMicroseconds } from '../harness/processor.ts'
import type { Profile } from '../harness/profile.ts'
import { goalOf } from '../report/goals.ts'
import { median, spread } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const PART = 'From a publish to the next visitor’s page, as the list of organisations grows'
const LIST = 'ngoList-2026'
const PAGE = '/intro/ngo-list'
const THEME = 'theme-lebanon'
const THEMES_PAGE = '/intro/choose-theme'
const LOAD_SECONDS = 1
/** From so many organisations on, a publish has the goal of many. */
const MANY = 1_000

/** How soon every language shows what was published, and what the page then weighs and costs. */
export async function measurePublish({
  ngoSizes,
  publishes,
}: Pick<Profile, 'ngoSizes' | 'publishes'>): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-publish-'))
  // Not in production, where local content is read alone.
  const product = await startProduct({ env: { DATA_DIR: dataDir } })
  try {
    const themes = await timesOf(publishes, n => publishTheme(product, n))
    const figures: Figure[] = [publishFigure(themes, 'theme', 'A theme', goalOf('publish'))]
    const costs: Record<string, number> = {}
    for (const ngos of ngoSizes) {
      await listOrganisations(product, ngos)
      const times = await timesOf(publishes, n => publish(product, ngos, n))
      const goal = goalOf(ngos < MANY ? 'publish' : 'publish-many')
      figures.push(publishFigure(times, `${ngos}`, `${ngos} organisations`, goal))
      for (const language of LANGUAGES) {
        const path = localizedPath(language, PAGE)
        const what = `${ngos} organisations, ${language}`
        const weight = brotliCompressSync((await call(product.url + path)).text).length / 1_000
        const cost = await microsecondsPerView(product, path)
        const reference = costs[language]
        costs[language] ??= cost
        figures.push({ id: `${what} page`, part: PART, what: `${what}: page`, unit: 'kB', measured: weight })
        figures.push({
          id: `${what} processor`,
          part: PART,
          what: `${what}: processor per view${reference === undefined ? '' : `, against ${ngoSizes[0]}`}`,
          unit: 'µs',
          measured: cost,
          ...(reference !== undefined && { reference }),
        })
      }
    }
    return figures
  } finally {
    await product.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const idOf = (n: number): string => `ngo-many-${n}`

async function listOrganisations(product: Product, count: number): Promise<void> {
  const client = contentClientOf(product)
  const ids = Array.from({ length: count }, (_, n) => idOf(n))
  const filling = ids.reduce((all, id, n) => all.createIfNotExists(organisation(id, n)), client.transaction())
  await filling.commit()
  const ngos = ids.map(id => ({ _type: 'reference', _key: id, _ref: id }))
  await client.patch(LIST).set({ ngos }).commit()
  const last = `Organisation ${count - 1}`
  await Promise.all(LANGUAGES.map(language => shownAfter(product.url + localizedPath(language, PAGE), last)))
}

/** @returns ms until the slowest language shows it */
async function publish(product: Product, ngos: number, n: number): Promise<number> {
  const titleIn = (language: string) => `Renamed ${ngos}-${n}-${language}`
  const titles = Object.fromEntries(LANGUAGES.map(each => [`title.${each}`, titleIn(each)]))
  return untilShown(product, { id: idOf(Math.floor(ngos / 2)), set: titles, page: PAGE, textIn: titleIn })
}

/** Of a theme, which nearly every page shows. @returns ms until the slowest language shows it */
function publishTheme(product: Product, n: number): Promise<number> {
  // A colour that no other publish had.
  const ink = `#1031${(16 + n).toString(16)}`
  return untilShown(product, { id: THEME, set: { ink }, page: THEMES_PAGE, textIn: () => ink })
}

interface Change {
  readonly id: string
  readonly set: Readonly<Record<string, string>>
  /** The page that shows it, and how in each language. */
  readonly page: string
  readonly textIn: (language: string) => string
}

async function untilShown(product: Product, { id, set, page, textIn }: Change): Promise<number> {
  const startedAt = performance.now()
  await contentClientOf(product).patch(id).set(set).commit()
  await Promise.all(
    LANGUAGES.map(language => shownAfter(product.url + localizedPath(language, page), textIn(language))),
  )
  return performance.now() - startedAt
}

/** Of several publishes, the slowest. */
const publishFigure = (times: readonly number[], id: string, what: string, goal: Figure['goal']): Figure => ({
  id,
  part: PART,
  what: `${what}: in all ${LANGUAGES.length} languages`,
  unit: 'ms',
  measured: Math.max(...times),
  spread: spread(times),
  ...(goal && { goal }),
})

/** @param once gives ms */
async function timesOf(publishes: number, once: (n: number) => Promise<number>): Promise<readonly number[]> {
  const times: number[] = []
  for (let n = 0; n < publishes; n++) times.push(await once(n))
  return times
}

async function microsecondsPerView({ url, pid }: Product, path: string): Promise<number> {
  const costs: number[] = []
  for (let round = 0; round < 4; round++) {
    const before = processorMicroseconds(pid)
    const answers = await generateLoad({ url, paths: [path], seconds: LOAD_SECONDS })
    costs.push((processorMicroseconds(pid) - before) / answers)
  }
  // In the first round code is compiled.
  return median(costs.slice(1))
}

function organisation(_id: string, n: number) {
  const inEveryLanguage = (text: string) => Object.fromEntries(LANGUAGES.map(each => [each, text]))
  return {
    _id,
    _type: 'ngo',
    title: inEveryLanguage(`Organisation ${n}`),
    description: inEveryLanguage('What it does, in one line'),
    links: inEveryLanguage(`https://ngo-${n}.example/donate`),
    consent: { state: 'given' },
  }
}
