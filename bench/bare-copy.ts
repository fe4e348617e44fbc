import type { Browser } from 'playwright'
import { barePage, type Content } from './bare-page.ts'
import { load, type Visit } from './page-load.ts'

/** The bare page with the words that this screen shows once it has come to rest. */
export async function bareCopyOf(browser: Browser, visit: Omit<Visit, 'slow'>): Promise<string> {
  const { seen } = await load(browser, { ...visit, slow: false }, page => page.evaluate(readContent))
  return barePage(seen)
}

/** In the browser: what a visitor reads, which only the rendered text tells. */
function readContent(): Content {
  // biome-ignore-start lint/performance/useDomNodeTextContent: hidden parts do not count
  const heading = document.querySelector<HTMLElement>('main h1')?.innerText ?? ''
  const lines = document.body.innerText.split('\n')
  // biome-ignore-end lint/performance/useDomNodeTextContent: as above
  return { language: document.documentElement.lang, title: document.title, heading, lines }
}
