import type { Browser, Page } from 'playwright'
import { barePage, type Content } from './bare-page.ts'
import { load, type Visit } from './page-load.ts'

/** The words that this screen shows once it has come to rest, and the organisations that it lets a visitor choose. */
export async function contentOf(browser: Browser, visit: Omit<Visit, 'slow'>): Promise<Content> {
  const { seen } = await load(browser, { ...visit, slow: false }, async page => {
    const words = await page.evaluate(readWords)
    await showList(page)
    return { ...words, ...(await page.evaluate(readChoice)) }
  })
  return seen
}

/** The bare page with these words. */
export const bareCopyOf = async (browser: Browser, visit: Omit<Visit, 'slow'>): Promise<string> =>
  barePage(await contentOf(browser, visit))

/** Opens the list of organisations where it waits behind a button. */
export async function showList(page: Page): Promise<void> {
  const button = page.locator('.split-hint[data-live] [data-action="show-list"]')
  if ((await button.count()) > 0) await button.click()
}

/** In the browser: what a visitor reads, which only the rendered text tells. */
function readWords(): Omit<Content, 'ngos' | 'points'> {
  // biome-ignore-start lint/performance/useDomNodeTextContent: hidden parts do not count
  const heading = document.querySelector<HTMLElement>('main h1')?.innerText ?? ''
  const lines = document.body.innerText.split('\n')
  // biome-ignore-end lint/performance/useDomNodeTextContent: as above
  return { language: document.documentElement.lang, title: document.title, heading, lines }
}

/** In the browser. */
function readChoice(): Pick<Content, 'ngos' | 'points'> {
  const rows = document.querySelectorAll<HTMLElement>('[data-ngo]:has([data-action="add"])')
  const ngos = [...rows].map(({ dataset, textContent }) => ({ id: dataset.ngo ?? '', title: textContent }))
  const left = document.querySelector<HTMLElement>('main [data-left]')?.dataset.left
  return { ngos, points: Number(left ?? 0) }
}
